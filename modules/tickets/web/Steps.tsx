import { Skeleton, Tag } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/FailedState.tsx';
import { Moment } from '#kernel/web/kit/Moment.tsx';
import { attributeType } from '#modules/workflows/engine/codes.ts';
import { tickets } from '../contract.ts';
import type { FlowLog, FlowStep } from '../contract/shapes.ts';

/** Where a ticket stands among its states, and everything done to it, the newest on top. */
export function Steps({ ticket }: { ticket: number }) {
  const { data, error, refetch } = useCall(tickets.flowsteps, { params: { id: ticket } });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 6 }} />;
  const logs = data.value.flatMap((step) => step.state_flow_log_list).toSorted((a, b) => b.seq - a.seq);
  return (
    <>
      <section className="kit-panel" aria-label="步骤">
        <h2 className="ticket-side">步骤</h2>
        <ol className="ticket-steps">
          {data.value.map((step) => (
            <li key={step.state_id} aria-current={step.is_current ? 'step' : undefined}>
              <span>{step.state_name}</span> <span className="kit-muted">{standing(step)}</span>
            </li>
          ))}
        </ol>
      </section>
      <section className="kit-panel" aria-label="流转记录">
        <h2 className="ticket-side">流转记录</h2>
        <ol className="ticket-log">
          {logs.map((log) => (
            <li key={log.id}>
              <Deed log={log} />
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

function standing(step: FlowStep): string {
  if (step.waiting_for.length > 0) return `等待 ${step.waiting_for.map((person) => person.alias).join('、')}`;
  if (step.is_current) return step.type_id === 2 ? '已办结' : '';
  return step.state_flow_log_list.length > 0 ? '已经过' : '';
}

function Deed({ log }: { log: FlowLog }) {
  const refused = log.transition.attribute_type_id === attributeType.refuse;
  return (
    <>
      <div className="kit-row">
        <strong>
          {log.participant_info?.alias ?? '系统'}
          {log.on_behalf_of && `（代 ${log.on_behalf_of.alias}）`}
        </strong>
        <Tag color={refused ? 'warning' : 'default'} className="kit-status">
          {log.transition.transition_name}
        </Tag>
        <span className="kit-muted">
          {log.state.state_name} · <Moment at={log.gmt_created} />
        </span>
      </div>
      {log.suggestion && <p className="ticket-text">{log.suggestion}</p>}
      {log.reasons.map((reason) => (
        <p key={reason} className="kit-muted">
          {reason}
        </p>
      ))}
    </>
  );
}
