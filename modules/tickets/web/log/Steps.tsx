import { Skeleton } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { tickets } from '../../contract.ts';
import type { FlowStep } from '../../contract/shapes.ts';

/** Where a ticket stands among its states, and for whom it waits. */
export function Steps({ ticket }: { ticket: number }) {
  const { data, error, refetch } = useCall(tickets.flowsteps, { params: { id: ticket } });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 4 }} />;
  return (
    <section className="kit-panel" aria-label="步骤">
      <h2 className="ticket-side">步骤</h2>
      <ol className="ticket-steps">
        {data.value.map((step) => (
          <li key={step.state_id} aria-current={step.is_current ? 'step' : undefined}>
            <span>{step.state_name}</span> <span className="kit-muted">{delegations(step)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function delegations(step: FlowStep): string {
  if (step.waiting_for.length > 0) return `等待 ${step.waiting_for.map((person) => person.alias).join('、')}`;
  if (step.is_current) return step.type_id === 2 ? '已办结' : '';
  const { state_flow_log_list: done } = step;
  return done.length === 0 ? '' : done.every((one) => one.action === 'skip') ? '已跳过' : '已完成';
}
