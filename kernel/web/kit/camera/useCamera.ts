import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

/** A camera is available only in a secure context; elsewhere a file is used instead. */
export const hasCamera = (): boolean => window.isSecureContext && navigator.mediaDevices !== undefined;

const reasons: Readonly<Record<string, string>> = {
  NotAllowedError: '没有得到使用摄像头的许可，请在浏览器的网站设置中允许，或改用照片',
  NotFoundError: '没有找到摄像头，请改用照片',
  NotReadableError: '摄像头正被其他程序使用，请关闭它后再试，或改用照片',
};

export type CameraState = { kind: 'opening' } | { kind: 'live' } | { kind: 'failed'; why: string };

/** Shows the picture of the device's rear camera in a video element while it is mounted. */
export function useCamera(): { video: RefObject<HTMLVideoElement | null>; state: CameraState } {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>({ kind: 'opening' });
  useEffect(() => {
    let closed = false;
    let stream: MediaStream | null = null;
    const stop = () => stream?.getTracks().forEach((track) => track.stop());
    const open = async () => {
      const wanted = { facingMode: { ideal: 'environment' }, width: { ideal: 1920 }, height: { ideal: 1080 } };
      stream = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false });
      // The element may have been closed meanwhile.
      if (closed || !video.current) return stop();
      video.current.srcObject = stream;
      await video.current.play();
      if (!closed) setState({ kind: 'live' });
    };
    open().catch((error: unknown) => {
      stop();
      const { name } = error as Error;
      if (!closed) setState({ kind: 'failed', why: reasons[name] ?? '摄像头打不开，请改用照片' });
    });
    return () => {
      closed = true;
      stop();
    };
  }, []);
  return { video, state };
}
