import { DownloadOutlined } from '@ant-design/icons';
import { Button, Drawer, Spin } from 'antd';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import type { FileAnswer } from '#kernel/web/client.ts';
import { CallFailed } from '#kernel/web/failure.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { saveFile } from '#kernel/web/kit/saveFile.ts';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import './preview.css';

const PdfPages = later(() => patiently(() => import('./PdfPages.tsx')));

/** A PDF returned by a call, to read in a drawer and to save under a name. `fetch` is called again when `about` changes. */
export default function PdfDrawer({
  title,
  about,
  fetch,
  choice,
  onClose,
}: {
  title: string;
  about: string;
  fetch: (signal: AbortSignal) => Promise<FileAnswer | null>;
  /** Above the pages: a choice of what is shown. */
  choice?: ReactNode;
  onClose: () => void;
}) {
  const narrow = useNarrow();
  const [shown, setShown] = useState<{ about: string; blob?: Blob; why?: string } | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    fetch(stop.signal).then(
      (found) => !stop.signal.aborted && setShown(found ? { about, blob: found.blob } : { about, why: '没有内容' }),
      (error: unknown) =>
        !stop.signal.aborted &&
        setShown({ about, why: error instanceof CallFailed ? error.msg : '无法打开预览，请稍后重试' }),
    );
    return () => stop.abort();
    // `about` identifies the fetched content.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [about]);
  const now = shown?.about === about ? shown : null;
  return (
    <Drawer
      title={title}
      open
      onClose={onClose}
      size={narrow ? '100%' : 'min(960px, 90vw)'}
      classNames={{ body: 'preview-body' }}
      extra={
        <Button
          icon={<DownloadOutlined />}
          disabled={!now?.blob}
          onClick={() => now?.blob && saveFile(now.blob, `${title}.pdf`)}
        >
          下载
        </Button>
      }
    >
      {choice}
      {!now && <Spin description="正在排版…" />}
      {now?.why && <p role="status">{now.why}</p>}
      {now?.blob && (
        <Suspense fallback={<Spin />}>
          <PdfPages source={now.blob} name={title} />
        </Suspense>
      )}
    </Drawer>
  );
}
