import { useRef } from 'react';

interface Props {
  title: string;
  /** CSS pixels. */
  width: number;
  /** Called while the edge is dragged, and with `kept` when it is released. */
  onResize: (width: number, kept: boolean) => void;
}

/** The limits of a column's width, as in the column settings. */
const limits = [60, 800] as const;
const step = 20;

/** The edge of a column: dragged, or moved by the arrow keys when focused. Tab skips it, because the column settings offer the width, too. */
export function ColumnEdge({ title, width, onResize }: Props) {
  const start = useRef<{ at: number; width: number } | null>(null);
  const fit = (wanted: number) => Math.round(Math.min(limits[1], Math.max(limits[0], wanted)));
  return (
    <span
      className="kit-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={`调整“${title}”列宽`}
      aria-valuenow={width}
      aria-valuemin={limits[0]}
      aria-valuemax={limits[1]}
      tabIndex={-1}
      onClick={(event) => event.stopPropagation()}
      onPointerDown={(event) => {
        // The visible width, not the requested one: a wide table gives its columns more.
        const shown = event.currentTarget.closest('th')?.getBoundingClientRect().width ?? width;
        start.current = { at: event.clientX, width: shown };
        event.currentTarget.setPointerCapture(event.pointerId);
        event.preventDefault();
      }}
      onPointerMove={(event) => {
        if (start.current) onResize(fit(start.current.width + event.clientX - start.current.at), false);
      }}
      onPointerUp={(event) => {
        if (start.current) onResize(fit(start.current.width + event.clientX - start.current.at), true);
        start.current = null;
      }}
      onPointerCancel={() => (start.current = null)}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -step, ArrowRight: step }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        onResize(fit(width + by), true);
      }}
    />
  );
}
