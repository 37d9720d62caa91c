import { Alert } from 'antd';
import type { ReactNode, RefObject } from 'react';
import type { CameraState } from './useCamera.ts';
import './camera.css';

/** The camera's picture, or the reason why there is none. */
export function CameraView({
  video,
  state,
  label,
  children,
}: {
  video: RefObject<HTMLVideoElement | null>;
  state: CameraState;
  label: string;
  children?: ReactNode;
}) {
  if (state.kind === 'failed') return <Alert type="warning" showIcon title={state.why} />;
  return (
    <div className="kit-camera">
      <video ref={video} muted playsInline aria-label={label} />
      {state.kind === 'opening' ? <p role="status">正在打开摄像头</p> : children}
    </div>
  );
}
