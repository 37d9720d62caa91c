import { CameraOutlined } from '@ant-design/icons';
import { Alert, Button, Input, type InputRef } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { send } from '#kernel/web/client.ts';
import { Scanner } from '#kernel/web/kit/camera.tsx';
import { ledgerCalls, type Scanned } from '../../contract/ledger.ts';
import '../stamps.css';

interface Props {
  label: string;
  placeholder: string;
  /** The label of the button: 打开. */
  button: string;
  /** Called before a lookup, to clear the last result. */
  onAsk?: () => void;
  /** Called with the target of a code; a returned text is shown as the result. */
  onFound: (found: Scanned) => string | void;
}

/** Reads a code from a desktop scanner, which types and ends with Enter, from typing, or from the camera. */
export function ScanBox({ label, placeholder, button, onAsk, onFound }: Props) {
  const [typed, setTyped] = useState('');
  const [camera, setCamera] = useState(false);
  const [said, setSaid] = useState<{ type: 'warning' | 'error'; text: string } | null>(null);
  const box = useRef<InputRef>(null);
  // Focused only with a mouse, for scanners that type; on a touch screen it would open the keyboard.
  const ready = () => matchMedia('(pointer: fine)').matches && box.current?.focus();
  useEffect(() => void ready(), []);
  const ask = async (code: string) => {
    if (!code.trim()) return;
    setTyped('');
    setSaid(null);
    onAsk?.();
    try {
      const text = onFound(await send(ledgerCalls.scan, { query: { code: code.trim().slice(0, 200) } }));
      setCamera(false);
      if (text) setSaid({ type: 'warning', text });
    } catch (error) {
      setSaid({ type: 'error', text: (error as Error).message });
    }
    ready();
  };
  return (
    <div className="kit-panel kit-stack">
      <div className="kit-row stamp-scan-box">
        <Input.Search
          ref={box}
          className="kit-grow"
          size="large"
          value={typed}
          placeholder={placeholder}
          aria-label={label}
          enterButton={button}
          onChange={(event) => setTyped(event.target.value)}
          onSearch={(value) => void ask(value)}
        />
        <Button size="large" icon={<CameraOutlined aria-hidden="true" />} onClick={() => setCamera(!camera)}>
          {camera ? '关闭相机' : '扫码'}
        </Button>
      </div>
      {camera && <Scanner onCode={(code) => void ask(code)} />}
      {said && <Alert type={said.type} showIcon title={said.text} />}
    </div>
  );
}
