import { DownloadOutlined } from '@ant-design/icons';
import { Button, Drawer, Spin } from 'antd';
import { Suspense, useEffect, useState } from 'react';
import { later } from '#kernel/web/later.tsx';
import { download } from '#kernel/web/client.ts';
import { CallFailed } from '#kernel/web/failure.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { saveFile } from '#kernel/web/kit/saveFile.ts';
import { files } from '../../contract.ts';
import type { ShownFile } from './shown-file.ts';
import './preview.css';

const PdfPages = later(() => import('./PdfPages.tsx'));
/** An office file is converted on its first view. */
const patience = 100_000;

type Shown = { kind: 'picture'; url: string } | { kind: 'text'; text: string } | { kind: 'pdf'; data: Blob | number };

/** Shows a file in a drawer if the browser can, and always offers to save it. */
export default function PreviewDrawer({
  file,
  open,
  onClose,
}: {
  file: ShownFile;
  open: boolean;
  onClose: () => void;
}) {
  const narrow = useNarrow();
  const [share, setShare] = useState<number | null>(null);
  const save = async () => {
    setShare(0);
    try {
      const saved = await download(files.download, { params: { id: file.id } }, { onProgress: setShare });
      if (saved) saveFile(saved.blob, saved.name || file.name);
    } catch {
      // The error was shown.
    } finally {
      setShare(null);
    }
  };
  return (
    <Drawer
      title={file.name}
      open={open}
      onClose={onClose}
      size={narrow ? '100%' : 'min(960px, 90vw)'}
      destroyOnHidden
      classNames={{ body: 'preview-body' }}
      extra={
        <Button icon={<DownloadOutlined />} loading={share !== null} onClick={() => void save()}>
          {share ? `${Math.round(share * 100)}%` : '下载'}
        </Button>
      }
    >
      <Preview file={file} />
    </Drawer>
  );
}

function Preview({ file }: { file: ShownFile }) {
  const [shown, setShown] = useState<Shown | { kind: 'failed'; why: string } | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let address = '';
    look(file, stop.signal).then(
      (found) => {
        if (found.kind === 'picture') address = found.url;
        if (!stop.signal.aborted) setShown(found);
      },
      (error: unknown) => {
        if (!stop.signal.aborted)
          setShown({ kind: 'failed', why: error instanceof CallFailed ? error.msg : '无法打开预览，请下载后查看' });
      },
    );
    return () => {
      stop.abort();
      URL.revokeObjectURL(address);
    };
  }, [file]);
  if (!shown) return <Spin description="正在打开…" />;
  switch (shown.kind) {
    case 'failed':
      return <p role="status">{shown.why}</p>;
    case 'picture':
      return <img className="preview-picture" src={shown.url} alt={file.name} />;
    case 'text':
      return <pre className="preview-text">{shown.text}</pre>;
    case 'pdf':
      return (
        <Suspense fallback={<Spin />}>
          <PdfPages source={shown.data} name={file.name} />
        </Suspense>
      );
  }
}

/** Fetched with the session, because the page's signed addresses are valid for minutes only. */
async function look(file: ShownFile, signal: AbortSignal): Promise<Shown> {
  if (file.mime === 'application/pdf') return { kind: 'pdf', data: file.id };
  const asked = { params: { id: file.id } };
  const found = await download(files.preview, asked, { signal, quiet: true, timeout: patience });
  if (!found) throw new Error('no file came');
  const { blob } = found;
  if (blob.type.startsWith('text/')) return { kind: 'text', text: await blob.text() };
  if (blob.type === 'application/pdf') return { kind: 'pdf', data: blob };
  return { kind: 'picture', url: URL.createObjectURL(blob) };
}
