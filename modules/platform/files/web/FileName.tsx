import { PaperClipOutlined } from '@ant-design/icons';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import { Suspense, useState, type MouseEvent } from 'react';
import { addressOfFile, isImage, type ShownFile } from './preview/shown-file.ts';
import { Thumb } from './preview/Thumb.tsx';
import './files.css';

const PreviewDrawer = later(() => patiently(() => import('./preview/PreviewDrawer.tsx')));

/** A file as a link with its name, and a thumbnail for a picture; opens in a drawer, or in a window of its own on request. */
export function FileName({ file }: { file: ShownFile }) {
  const [open, setOpen] = useState(false);
  const [opened, setOpened] = useState(false);
  const show = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setOpened(true);
    setOpen(true);
  };
  return (
    <>
      <a className="file-name" href={addressOfFile(file)} target="_blank" rel="noreferrer" onClick={show}>
        {isImage(file.mime) ? <Thumb file={file} /> : <PaperClipOutlined />}
        <span>{file.name}</span>
      </a>
      {opened && (
        <Suspense fallback={null}>
          <PreviewDrawer file={file} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
