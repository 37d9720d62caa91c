import type { Definition } from '../../engine/definition.ts';

const [width, height, step, left] = [104, 18, 30, 8];

/** A workflow as a small picture: its states from top to bottom, the lines between them, and at the side those that skip states. */
export function Picture({ definition: { states, transitions } }: { definition: Definition }) {
  const rows = states.toSorted((a, b) => a.order - b.order);
  const rowOf = (id: number) => rows.findIndex((one) => one.id === id);
  const ways = transitions
    .flatMap(({ source, destination, conditions }) => [
      [source, destination] as const,
      ...conditions.map(({ target_state_id }) => [source, target_state_id] as const),
    ])
    .map(([from, to]) => [rowOf(from), rowOf(to)] as const)
    .filter(([from, to]) => from >= 0 && to > from);
  const middle = left + width / 2;
  return (
    <svg className="flow-picture" viewBox={`0 0 ${width + 32} ${rows.length * step}`} aria-hidden="true">
      {ways.map(([from, to]) => {
        const [y, end] = [from * step + height + 2, to * step + 2];
        const by = to - from === 1;
        const side = left + width;
        return (
          <path
            key={`${from}-${to}`}
            d={
              by
                ? `M ${middle} ${y} V ${end}`
                : `M ${side} ${y - height / 2} h ${4 + 4 * (to - from)} V ${end + height / 2} H ${side}`
            }
          />
        );
      })}
      {rows.map(({ id, name, kind }, at) => (
        <g key={id}>
          <rect
            x={left}
            y={at * step + 2}
            width={width}
            height={height}
            rx={kind === 'start' || kind === 'end' ? height / 2 : 3}
          />
          <text x={middle} y={at * step + height / 2 + 6}>
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}
