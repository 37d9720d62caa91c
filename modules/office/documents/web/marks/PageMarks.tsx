import { inks, penWidth, type NewStroke, type Stroke } from '../../contract/files/marks.ts';

/** Parts of a page's width that a stroke's points are told in. */
export const unit = 10_000;

/** The line through the middles between the points of a stroke, as it is printed. */
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

/** What was drawn on one page, in the order in which it was drawn. `erase`: one's own strokes go where the eraser meets them. */
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
        // Only ever added to at its end, but where one is taken out.
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
