import { Alert } from 'antd';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import type { Detail } from '../../contract/shapes.ts';

/** Obstacles a ticket waits for other than people, and failed calls to other systems. */
export function Waits({ ticket: { waits, troubles } }: { ticket: Pick<Detail, 'waits' | 'troubles'> }) {
  return (
    <>
      {waits.map(({ state_id, state_name, why, until, next }) => (
        <Alert
          key={state_id}
          type="info"
          showIcon
          title={`“${state_name}”${why}`}
          description={
            until && (
              <>
                <Moment at={until} /> 还没有动静，就{next}
              </>
            )
          }
        />
      ))}
      {troubles.map((trouble) => (
        <Alert key={trouble} type="warning" showIcon title={trouble} />
      ))}
    </>
  );
}
