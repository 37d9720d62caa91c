import { useCallback, useEffectEvent } from 'react';
import SignaturePad, { type PointGroup } from 'signature_pad';
import { inks, penWidth, type Ink, type NewStroke } from '../../contract/files/marks.ts';
import { unit } from './PageMarks.tsx';

/** The limit of points in a stroke; a longer one is split. */
const mostPoints = 2000;

/** A transparent layer over a page that holds only the stroke being drawn, and passes it on when the pen is lifted. */
export function PenSheet({
  page,
  ink,
  onStrokes,
}: {
  page: number;
  ink: Ink;
  onStrokes: (strokes: readonly NewStroke[]) => void;
}) {
  const lifted = useEffectEvent((sheet: HTMLCanvasElement, { points }: PointGroup) => {
    const width = sheet.offsetWidth;
    const on = (at: number, longest: number) => Math.max(0, Math.min(Math.round((at / width) * unit), longest));
    const lowest = Math.floor((sheet.offsetHeight / width) * unit);
    const strokes: NewStroke[] = [];
    // A continued stroke begins with the last point of the part before.
    for (let from = 0; from < Math.max(1, points.length - 1); from += mostPoints - 1) {
      const part = points.slice(from, from + mostPoints);
      strokes.push({ page, ink, points: part.flatMap(({ x, y }) => [on(x, unit), on(y, lowest)]) });
    }
    onStrokes(strokes);
  });
  const colour = inks[ink].colour;
  const take = useCallback(
    (sheet: HTMLCanvasElement) => {
      const pen = new SignaturePad(sheet, { penColor: colour, minDistance: 2 });
      pen.addEventListener('endStroke', () => {
        const group = pen.toData().at(-1);
        pen.clear();
        if (group && group.points.length > 0) lifted(sheet, group);
      });
      const fit = () => {
        const scale = Math.max(1, devicePixelRatio);
        sheet.width = sheet.offsetWidth * scale;
        sheet.height = sheet.offsetHeight * scale;
        sheet.getContext('2d')?.scale(scale, scale);
        // The library draws circles of this radius.
        const radius = ((penWidth / unit) * sheet.offsetWidth) / 2;
        pen.minWidth = radius;
        pen.maxWidth = radius;
        pen.dotSize = radius;
        pen.clear();
      };
      const watch = new ResizeObserver(fit);
      watch.observe(sheet);
      return () => {
        watch.disconnect();
        pen.off();
      };
    },
    [colour],
  );
  return <canvas ref={take} className="mark-sheet" aria-label={`第 ${page} 页批注`} />;
}
