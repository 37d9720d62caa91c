import { Button } from 'antd';
import { useState } from 'react';
import { momentText } from '#kernel/contract/moment.ts';
import { CameraView } from './CameraView.tsx';
import { PhotoFile } from './PhotoFile.tsx';
import { hasCamera, useCamera } from './useCamera.ts';

interface Props {
  onPhoto(photo: File): void;
}

/** Takes photographs with the camera, or from a file. */
export default function Photographer({ onPhoto }: Props) {
  return (
    <div className="kit-stack">
      {hasCamera() && <LivePhotographer onPhoto={onPhoto} />}
      <PhotoFile onFile={onPhoto}>选择照片</PhotoFile>
    </div>
  );
}

function LivePhotographer({ onPhoto }: Props) {
  const { video, state } = useCamera();
  const [busy, setBusy] = useState(false);
  const take = async () => {
    if (!video.current) return;
    setBusy(true);
    onPhoto(await photoOf(video.current));
    setBusy(false);
  };
  return (
    <>
      <CameraView video={video} state={state} label="摄像头画面" />
      {state.kind === 'live' && (
        <Button type="primary" loading={busy} onClick={() => void take()}>
          拍照
        </Button>
      )}
    </>
  );
}

/** The current picture of the video as a JPEG named after the moment. */
async function photoOf(video: HTMLVideoElement): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));
  const name = `照片 ${momentText(new Date()).replaceAll(':', '')}.jpg`;
  return new File([bytes ?? new Blob()], name, { type: 'image/jpeg' });
}
