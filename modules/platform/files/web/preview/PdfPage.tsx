import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useEffect, useRef, useState, type ReactNode } from 'react';

/** The most pixels of a drawn page: phones allow no larger canvas. */
const maxDots = 12_000_000;

/** One page, drawn when it comes near the viewport and released when it has left. */
export function PdfPage({
  pdf,
  number,
  zoom,
  over,
}: {
  pdf: PDFDocumentProxy;
  number: number;
  zoom: number;
  over?: ((page: number, ratio: number) => ReactNode) | undefined;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [near, setNear] = useState(number === 1);
  const [ratio, setRatio] = useState(Math.SQRT2);
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => setNear(entry!.isIntersecting), { rootMargin: '600px' });
    watch.observe(frame.current!);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (!near) return;
    let drawing: { cancel(): void } | null = null;
    let left = false;
    const draw = async () => {
      const page = await pdf.getPage(number);
      if (left || !canvas.current || !frame.current) return;
      const natural = page.getViewport({ scale: 1 });
      setRatio(natural.height / natural.width);
      const dots = Math.min(
        (frame.current.clientWidth * devicePixelRatio) / natural.width,
        Math.sqrt(maxDots / (natural.width * natural.height)),
      );
      const viewport = page.getViewport({ scale: dots });
      canvas.current.width = Math.floor(viewport.width);
      canvas.current.height = Math.floor(viewport.height);
      const task = page.render({ canvas: canvas.current, viewport });
      drawing = task;
      await task.promise;
    };
    draw().catch(() => undefined);
    return () => {
      left = true;
      drawing?.cancel();
    };
  }, [pdf, number, near, zoom]);
  return (
    <div className="pdf-page" ref={frame} style={{ width: `${zoom * 100}%`, aspectRatio: `1 / ${ratio}` }}>
      {near && <canvas ref={canvas} aria-label={`第 ${number} 页`} role="img" />}
      {near && over?.(number, ratio)}
    </div>
  );
}
