import { ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons';
import { Button, Spin } from 'antd';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { whyNotShown } from './not-shown.ts';
import { openPdf } from './pdf.ts';
import { PdfPage } from './PdfPage.tsx';
import './preview.css';

const steps = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];

/** A scrollable PDF. `source` is a file's id or its bytes; 100 % is the width of the container. */
export default function PdfPages({
  source,
  name,
  over,
}: {
  source: number | Blob;
  name: string;
  /** An overlay for a page, by its number from 1; `ratio`: its height by its width. */
  over?: (page: number, ratio: number) => ReactNode;
}) {
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const [why, setWhy] = useState('');
  const [zoom, setZoom] = useState(1);
  const [page, setPage] = useState(1);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    const opening = openPdf(source);
    opening
      .then((task) => task.promise)
      .then(
        (found) => !stop.signal.aborted && setPdf(found),
        async (error: { name?: string }) => {
          const reason = await whyNotShown({ source, name, error }, stop.signal);
          if (!stop.signal.aborted) setWhy(reason);
        },
      );
    return () => {
      stop.abort();
      void opening.then((task) => task.destroy());
    };
  }, [source, name]);
  if (why) return <p role="status">{why}</p>;
  if (!pdf) return <Spin description="正在打开…" />;
  const step = (by: number) => setZoom((now) => steps[steps.indexOf(now) + by] ?? now);
  const follow = () => {
    const { top } = place.current!.getBoundingClientRect();
    const pages = [...place.current!.querySelectorAll('.pdf-page')];
    const first = pages.findIndex((one) => one.getBoundingClientRect().bottom > top + 40);
    if (first >= 0) setPage(first + 1);
  };
  return (
    <>
      <div className="pdf-bar" role="toolbar" aria-label="预览工具">
        <Button icon={<ZoomOutOutlined />} aria-label="缩小" disabled={zoom === steps[0]} onClick={() => step(-1)} />
        <span>{Math.round(zoom * 100)}%</span>
        <Button icon={<ZoomInOutlined />} aria-label="放大" disabled={zoom === steps.at(-1)} onClick={() => step(1)} />
        <span role="status">
          第 {page} / {pdf.numPages} 页
        </span>
      </div>
      <div className="pdf-pages" ref={place} onScroll={follow} tabIndex={0} role="document" aria-label={name}>
        {Array.from({ length: pdf.numPages }, (_none, index) => (
          <PdfPage key={index} pdf={pdf} number={index + 1} zoom={zoom} over={over} />
        ))}
      </div>
    </>
  );
}
