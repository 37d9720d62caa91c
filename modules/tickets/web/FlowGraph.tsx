import { Skeleton } from 'antd';
import { useMemo } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/FailedState.tsx';
import { workflows } from '#modules/workflows/contract.ts';
import { graphOf, WorkflowGraph } from '#modules/workflows/widgets.tsx';
import { tickets } from '../contract.ts';
import type { Detail } from '../contract/shapes.ts';

/** The ticket's own version of its workflow, drawn, with the path it has taken. */
export function FlowGraph({ ticket }: { ticket: Detail }) {
  const asked = { params: { id: ticket.workflow_id }, query: { ticket_id: ticket.id } };
  const { data, error, refetch } = useCall(workflows.simpleDescription, asked);
  const { data: steps } = useCall(tickets.flowsteps, { params: { id: ticket.id } });
  const graph = useMemo(() => data && graphOf(data), [data]);
  const marks = useMemo(() => {
    const all = steps?.value ?? [];
    const logs = all.flatMap((step) => step.state_flow_log_list);
    return {
      current: all.filter((step) => step.is_current).map((step) => step.state_id),
      visited: all
        .filter((step) => step.is_current || step.state_flow_log_list.length > 0)
        .map((step) => step.state_id),
      taken: [...new Set(logs.map((log) => log.transition.transition_id).filter((id) => id > 0))],
    };
  }, [steps]);
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!graph || !steps) return <Skeleton active title={false} paragraph={{ rows: 6 }} />;
  return (
    <section className="kit-panel" aria-label="流程图">
      <WorkflowGraph states={graph.states} transitions={graph.transitions} {...marks} height={420} />
    </section>
  );
}
