import { CheckCircleFilled } from '@ant-design/icons';
import { Skeleton } from 'antd';
import { useMemo } from 'react';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { graphOf, WorkflowGraph } from '#modules/workflow/workflows/widgets.tsx';
import { tickets } from '../contract.ts';
import type { Detail } from '../contract/shapes.ts';

/** The ticket's own version of its workflow as a graph, with the path it has taken. */
export function FlowGraph({ ticket }: { ticket: Detail }) {
  const asked = { params: { id: ticket.workflow_id }, query: { ticket_id: ticket.id } };
  const { data, error, refetch } = useCall(workflows.simpleDescription, asked);
  const { data: steps } = useCall(tickets.flowsteps, { params: { id: ticket.id } }, { meta: live });
  const graph = useMemo(() => data && graphOf(data), [data]);
  const marks = useMemo(() => marksOf(steps?.value ?? [], graph), [steps, graph]);
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!graph || !steps) return <Skeleton active title={false} paragraph={{ rows: 6 }} />;
  return (
    <section className="kit-panel" aria-label="流程图">
      <WorkflowGraph states={graph.states} transitions={graph.transitions} {...marks} height={420} />
      <p className="flow-legend">
        <CheckCircleFilled aria-hidden="true" /> 已完成／已跳过的环节　<strong>当前</strong>{' '}
        现在所在的环节　粗线是走过的路线
      </p>
    </section>
  );
}

/** States that are left at once by themselves, without a row of the log. */
const silent: readonly string[] = ['condition', 'cc', 'parallel_split', 'inclusive', 'join'];
type Step = ReplyOf<typeof tickets.flowsteps>['value'][number];

/** The ticket's present states, its past ones, and the lines it took: those of buttons, and those out of states it passed by itself. */
export function marksOf(steps: readonly Step[], graph: ReturnType<typeof graphOf> | undefined) {
  const current = steps.filter((step) => step.is_current).map((step) => step.state_id);
  const visited = steps.filter((step) => step.is_current || step.is_passed).map((step) => step.state_id);
  const pressed = steps
    .flatMap((step) => step.state_flow_log_list)
    .map((log) => log.transition.transition_id)
    .filter((id) => id > 0);
  const alone = new Set((graph?.states ?? []).filter(({ kind }) => silent.includes(kind)).map(({ id }) => id));
  const byItself = (graph?.transitions ?? []).filter(
    ({ source }) => alone.has(source) && visited.includes(source) && !current.includes(source),
  );
  return { current, visited, taken: [...new Set([...pressed, ...byItself.map(({ id }) => id)])] };
}
