import { useEffect, useMemo, useRef, useState } from 'react';
import { thumbHashToAverageRGBA } from 'thumbhash';
import type { PhotoRow } from '../../contract/shapes.ts';
import { rowsOf } from './layout.ts';
import '../photos.css';

/** The average colour of a photo, shown before it is loaded. */
export function colourOf(placeholder: string): string {
  const { r, g, b } = thumbHashToAverageRGBA(Uint8Array.from(atob(placeholder), (one) => one.charCodeAt(0)));
  return `rgb(${Math.round(r * 255)} ${Math.round(g * 255)} ${Math.round(b * 255)})`;
}

/** Rows within this distance beyond the window are rendered too, in pixels. */
const beyond = 900;

/** Photos in justified rows: only rows near the window are rendered, and none moves when others are added. */
export function Wall({
  photos,
  onOpen,
  onEnd,
}: {
  photos: readonly PhotoRow[];
  onOpen: (at: number) => void;
  onEnd?: () => void;
}) {
  const wall = useRef<HTMLDivElement>(null);
  const [{ width, from, to }, setSeen] = useState({ width: 0, from: 0, to: 2000 });
  useEffect(() => {
    const box = wall.current!;
    const look = () => {
      const { top, width: wide } = box.getBoundingClientRect();
      // A wall that was removed or hidden has no width, and keeps its rows for when it is shown again.
      if (wide === 0) return;
      // In steps, so that most scrolling renders nothing anew.
      const [start, end] = [-top - beyond, window.innerHeight - top + beyond].map((at) => Math.round(at / 300) * 300);
      setSeen((was) =>
        was.width === wide && was.from === start && was.to === end ? was : { width: wide, from: start!, to: end! },
      );
    };
    const sized = new ResizeObserver(look);
    sized.observe(box);
    window.addEventListener('scroll', look, { capture: true, passive: true });
    return () => {
      sized.disconnect();
      window.removeEventListener('scroll', look, { capture: true });
    };
  }, []);
  const rows = useMemo(() => (width ? rowsOf(photos, width, width < 500 ? 120 : 210) : []), [photos, width]);
  const last = rows.at(-1);
  const high = last ? last.top + last.height : 0;
  const near = width > 0 && to > high;
  useEffect(() => {
    if (near) onEnd?.();
  }, [near, photos.length, onEnd]);
  return (
    <div ref={wall} className="photo-wall" style={{ height: high }} role="group" aria-label="照片">
      {rows.flatMap((row) =>
        row.top + row.height < from || row.top > to
          ? []
          : [
              <div key={row.from} className="photo-row" style={{ top: row.top, height: row.height }}>
                {photos.slice(row.from, row.to).map((photo, at) => (
                  <button
                    key={photo.id}
                    type="button"
                    aria-label={photo.title}
                    style={{
                      aspectRatio: Math.max(0.3, Math.min(4, photo.width / photo.height)),
                      background: colourOf(photo.placeholder),
                    }}
                    onClick={() => onOpen(row.from + at)}
                  >
                    <img src={`${photo.url}&thumb=1`} alt="" decoding="async" />
                    <span>{photo.title}</span>
                  </button>
                ))}
              </div>,
            ],
      )}
    </div>
  );
}
