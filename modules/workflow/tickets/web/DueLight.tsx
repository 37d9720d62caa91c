import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { isRunningState } from '#modules/workflow/workflows/engine/codes.ts';
import { lightOf, lights } from '#modules/platform/waits/contract/due.ts';
import type { Row } from '../contract/shapes.ts';

const colours = ['', 'green', 'yellow', 'red'] as const;

/** A ticket's deadline and its light; always in words, with the colour only in addition. */
export function DueLight({ row }: { row: Pick<Row, 'due_at' | 'act_state_id'> }) {
  const light = lightOf(row.due_at, isRunningState(row.act_state_id), new Date());
  if (light === 0) return <Moment at={row.due_at} />;
  return (
    <span className={`due due-${colours[light]}`}>
      <Moment at={row.due_at} /> <span className="due-word">{lights[light]}</span>
    </span>
  );
}
