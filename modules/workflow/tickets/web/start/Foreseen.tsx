import { keepPreviousData } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { Alert, Skeleton } from 'antd';
import { keyOf } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { useSettled } from '#kernel/web/kit/form/parts/settled.ts';
import { tickets } from '../../contract.ts';
import type { Chosen } from '../fields/Choose.tsx';

interface Props {
  workflow: number;
  values: Readonly<Record<string, unknown>>;
  /** User name of the person in whose name it is started; I myself if missing. */
  begin_for: string | undefined;
}
/** Steps without people. */
const silent = ['condition', 'parallel_split', 'inclusive', 'join'];

/** The people a ticket would go to with its present form; recalculated after a pause in typing. */
export function Foreseen({ workflow, values, begin_for }: Props) {
  const { choose, ...form } = useSettled(values);
  const asked = {
    body: {
      workflow_id: workflow,
      values: form,
      choose: choose as Chosen | undefined,
      begin_for,
    },
  };
  const { data, error } = useQuery({
    queryKey: keyOf(tickets.foresee, asked),
    queryFn: ({ signal }) => send(tickets.foresee, asked, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  return (
    <aside className="kit-panel start-foreseen" aria-label="预计办理步骤">
      <h2>预计办理步骤</h2>
      {error && !data && <p className="kit-muted">暂时不能预计，不影响提交</p>}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 5 }} />}
      {data && (
        <>
          <ol className="ticket-steps">
            {data.steps
              .filter((step) => !silent.includes(step.kind))
              .map((step) => (
                <li key={`${step.state_id}:${step.visit}`}>
                  {step.state_name}{' '}
                  <span className="kit-muted">
                    {step.outcome === 'skipped'
                      ? '自动跳过'
                      : step.kind === 'cc'
                        ? `抄送 ${names(step.people)}`
                        : names(step.people)}
                  </span>
                </li>
              ))}
          </ol>
          {data.stop && <Alert type="warning" title={data.stop} />}
          {data.periods.map((period) => (
            <p key={period.to} className="kit-muted">
              {period.from}至{period.to}共 {period.days} 天，其中工作日 {period.working_days} 天
            </p>
          ))}
          <p className="kit-muted">随填写的内容变化，以提交时为准</p>
        </>
      )}
    </aside>
  );
}

const names = (people: readonly string[]) =>
  people.length > 3 ? `${people.slice(0, 3).join('、')} 等 ${people.length} 人` : people.join('、');
