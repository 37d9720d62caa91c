import { inks, penWidth, type NewStroke, type Stroke } from '../../contract/files/marks.ts';

/** The unit of stroke points: parts of a page's width. */
export const unit = 10_000;

/** The curve through the midpoints of a stroke's points, as in print. */
function lineOf({ points }: NewStroke): string {
  const at = Array.from({ length: points.length / 2 }, (_none, index) => [points[index * 2]!, points[index * 2 + 1]!]);
  const [first = [0, 0], ...rest] = at;
  if (rest.length === 0) return `M${first.join(' ')}h0`;
  return `M${first.join(' ')}${rest
    .map(([x = 0, y = 0], index) => {
      const next = rest[index + 1];
      const [toX, toY] = next ? [(x + next[0]!) / 2, (y + next[1]!) / 2] : [x, y];
      return `Q${x} ${y} ${toX} ${toY}`;
    })
    .join('')}`;
}

/** The strokes on one page, in drawing order. `erase` removes one's own strokes that the eraser meets. */
export function PageMarks({
  strokes,
  waiting,
  ratio,
  erase,
}: {
  strokes: readonly Stroke[];
  waiting: readonly NewStroke[];
  ratio: number;
  erase?: ((stroke: Stroke) => void) | undefined;
}) {
  return (
    <svg className="mark-layer" viewBox={`0 0 ${unit} ${unit * ratio}`} aria-hidden="true">
      {[...strokes, ...waiting].map((stroke, index) => (
        // The index is stable: strokes are appended, and only erasing removes one.
        <path key={index} d={lineOf(stroke)} stroke={inks[stroke.ink].colour} strokeWidth={penWidth} />
      ))}
      {erase &&
        strokes
          .filter((stroke) => stroke.mine)
          .map((stroke) => (
            <path
              key={`eraser ${stroke.id}`}
              className="mark-own"
              d={lineOf(stroke)}
              strokeWidth={penWidth * 8}
              onPointerDown={() => erase(stroke)}
              onPointerEnter={(event) => event.buttons > 0 && erase(stroke)}
            />
          ))}
    </svg>
  );
}
