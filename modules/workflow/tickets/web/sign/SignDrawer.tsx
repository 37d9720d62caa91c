import { Alert, Button, Drawer, Input } from 'antd';
import { useCallback, useRef, useState } from 'react';
import SignaturePad, { type PointGroup } from 'signature_pad';
import type { CallFailed } from '#kernel/web/failure.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { useUpload } from '#modules/platform/files/widgets.tsx';
import './sign.css';

interface Props {
  /** Name of the button that requires the signature. */
  act: string;
  /** The module whose records own the picture; tickets by default. */
  module?: string;
  /** Called with the id of the uploaded picture. */
  onSigned: (file: number) => void;
  onClose: () => void;
}

/** A canvas to sign on with mouse, finger or pen; the typed name can be drawn instead. Dark on white in every theme. */
export default function SignDrawer({ act, module = 'tickets', onSigned, onClose }: Props) {
  const narrow = useNarrow();
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad>(null);
  /** The content of the canvas, redrawn after it is resized or gets another pen. */
  const written = useRef<{ strokes: PointGroup[]; name: string }>({ strokes: [], name: '' });
  const [name, setName] = useState('');
  const [drawn, setDrawn] = useState(false);
  const { busy: sending, upload, cancel } = useUpload(module);
  const [failure, setFailure] = useState('');

  const draw = useCallback(() => {
    if (!canvas.current || !pad.current) return;
    const { strokes, name: typed } = written.current;
    pad.current.clear();
    pad.current.fromData(strokes, { clear: false });
    if (typed) drawName(canvas.current, typed);
  }, []);

  // The drawer renders its content later than itself: the pen is created with the canvas, not with the page.
  const take = useCallback(
    (sheet: HTMLCanvasElement) => {
      canvas.current = sheet;
      const pen = new SignaturePad(sheet, { backgroundColor: 'rgb(255, 255, 255)', minWidth: 1, maxWidth: 3 });
      pen.addEventListener('endStroke', () => {
        written.current.strokes = pen.toData();
        setDrawn(true);
        setFailure('');
      });
      pad.current = pen;
      const fit = () => {
        // Ends a stroke in progress: without its canvas the pen would wait for its end and draw no other.
        if (!pen.isEmpty()) written.current.strokes = pen.toData();
        pen.off();
        pen.on();
        const scale = Math.max(1, devicePixelRatio);
        sheet.width = sheet.offsetWidth * scale;
        sheet.height = sheet.offsetHeight * scale;
        sheet.getContext('2d')?.scale(scale, scale);
        draw();
      };
      const watch = new ResizeObserver(fit);
      watch.observe(sheet);
      return () => {
        watch.disconnect();
        pen.off();
        canvas.current = null;
      };
    },
    [draw],
  );

  const clear = () => write('');
  const write = (typed: string) => {
    setName(typed);
    written.current = { strokes: [], name: typed.trim() };
    setDrawn(typed.trim() !== '');
    draw();
  };
  /** A second click signs nothing more, nor does a signature that arrives after its drawer was closed. */
  const stage = useRef<'open' | 'signing' | 'closed'>('open');
  const isClosed = () => stage.current === 'closed';
  const go = async () => {
    if (stage.current !== 'open') return;
    if (!drawn) return setFailure('请先在框内签名');
    setFailure('');
    stage.current = 'signing';
    try {
      const picture = await new Promise<Blob | null>((done) => canvas.current?.toBlob(done, 'image/png'));
      if (!picture) throw new Error('the browser made no picture');
      if (isClosed()) return;
      const file = new File([picture], '签名.png', { type: 'image/png' });
      const card = await upload(file, { quiet: true });
      if (card && !isClosed()) onSigned(card.id);
    } catch (error) {
      setFailure((error as CallFailed).message || '签名没有传上去，请重试');
    } finally {
      if (!isClosed()) stage.current = 'open';
    }
  };
  return (
    <Drawer
      title="手写签名"
      open
      onClose={() => {
        stage.current = 'closed';
        cancel();
        onClose();
      }}
      mask={{ closable: false }}
      size={narrow ? '100%' : 520}
      footer={
        <div className="kit-row ticket-foot">
          <Button type="primary" loading={sending} onClick={() => void go()}>
            签名并{act}
          </Button>
          <Button disabled={sending} onClick={clear}>
            重写
          </Button>
        </div>
      }
    >
      <p className="kit-muted">用鼠标、手指或手写笔在框内签名，签名会留在流转记录和打印的单据上</p>
      <canvas ref={take} className="sign-sheet" aria-label="签名框" />
      <Input
        aria-label="输入姓名代替手写"
        placeholder="不便手写时，可在这里输入姓名"
        maxLength={20}
        value={name}
        onChange={(event) => write(event.target.value)}
      />
      {failure && <Alert type="error" className="sign-failed" title={failure} />}
    </Drawer>
  );
}

function drawName(sheet: HTMLCanvasElement, name: string): void {
  const pen = sheet.getContext('2d');
  if (!pen) return;
  pen.fillStyle = 'black';
  pen.font = 'italic 48px KaiTi, STKaiti, serif';
  pen.textBaseline = 'middle';
  pen.fillText(name, 24, sheet.offsetHeight / 2, sheet.offsetWidth - 48);
}
