import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import type { Row } from '../contract/shapes.ts';
import { lightOf } from './due.ts';

/** When a ticket is due and how it stands; always as words, the colour only beside them. */
export function DueLight({ row }: { row: Pick<Row, 'due_at' | 'act_state_id'> }) {
  const light = lightOf(row, new Date());
  if (!light) return <Moment at={row.due_at} />;
  return (
    <span className={`due due-${light.key}`}>
      <Moment at={row.due_at} /> <span className="due-word">{light.label}</span>
    </span>
  );
}
