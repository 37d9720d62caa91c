import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { Photographer, Scanner } from '#kernel/web/kit/camera.tsx';

/** One camera at a time, with the codes it read and the photos it took. */
export function CameraSample() {
  const [open, setOpen] = useState<'scan' | 'photo' | null>(null);
  const [codes, setCodes] = useState<string[]>([]);
  const [photo, setPhoto] = useState<{ name: string; url: string } | null>(null);
  useEffect(() => () => URL.revokeObjectURL(photo?.url ?? ''), [photo]);
  return (
    <div className="kit-stack" style={{ maxWidth: 640 }}>
      <div className="kit-row">
        <Button onClick={() => setOpen('scan')}>扫码</Button>
        <Button onClick={() => setOpen('photo')}>拍一张</Button>
        <Button onClick={() => setOpen(null)}>关闭摄像头</Button>
      </div>
      {open === 'scan' && <Scanner onCode={(code) => setCodes((known) => [...known, code])} />}
      {open === 'photo' && (
        <Photographer onPhoto={(file) => setPhoto({ name: file.name, url: URL.createObjectURL(file) })} />
      )}
      <ul aria-label="识别到的内容">
        {codes.map((code, at) => (
          <li key={at}>{code}</li>
        ))}
      </ul>
      {photo && <img src={photo.url} alt={photo.name} style={{ maxWidth: '100%' }} />}
    </div>
  );
}
