import { Alert } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { CameraView } from './CameraView.tsx';
import { codeInFile, openReader } from './decode.ts';
import { PhotoFile } from './PhotoFile.tsx';
import { hasCamera, useCamera } from './useCamera.ts';

interface Props {
  /** Called once for each code, until another one is seen. */
  onCode(code: string): void;
}

/** Reads QR codes with the camera, or from a photograph. */
export default function Scanner({ onCode }: Props) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const fromFile = (file: File) => {
    setBusy(true);
    setTrouble(null);
    codeInFile(file)
      .then(onCode, (error: Error) => setTrouble(error.message))
      .finally(() => setBusy(false));
  };
  return (
    <div className="kit-stack">
      {hasCamera() && <LiveScanner onCode={onCode} />}
      {trouble !== null && <Alert type="warning" showIcon title={trouble} />}
      <PhotoFile busy={busy} onFile={fromFile}>
        拍照或选择照片识别
      </PhotoFile>
    </div>
  );
}

/** Milliseconds between two attempts to read, so that a phone stays cool and the page responsive. */
const pause = 150;

function LiveScanner({ onCode }: Props) {
  const { video, state } = useCamera();
  const latest = useRef(onCode);
  latest.current = onCode;
  const live = state.kind === 'live';
  useEffect(() => {
    if (!live) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let closed = false;
    let last: string | null = null;
    void openReader().then((read) => {
      const look = async () => {
        const seen = video.current;
        if (closed || !seen) return;
        const code = await read(seen, seen.videoWidth, seen.videoHeight).catch(() => null);
        if (code !== null && code !== last && !closed) latest.current((last = code));
        timer = setTimeout(() => void look(), pause);
      };
      void look();
    });
    return () => {
      closed = true;
      clearTimeout(timer);
    };
  }, [live, video]);
  return (
    <CameraView video={video} state={state} label="摄像头画面">
      <p role="status">请把二维码放在画面中间</p>
    </CameraView>
  );
}
