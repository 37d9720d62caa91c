import { Alert } from 'antd';
import { live, useCall } from '#kernel/web/calls.ts';
import { actState, attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { tickets } from '../../contract.ts';
import type { Detail, FlowLog } from '../../contract/shapes.ts';
import { logAsked } from './news.tsx';
import { doerOf, still } from './opinions.ts';

/** The request to the reader, in the words of the person who returned the ticket or asked for an opinion. */
export function AskedFor({ ticket }: { ticket: Detail }) {
  const { data } = useCall(tickets.flowlogs, logAsked(ticket.id), { meta: live });
  const asked = askedBy(ticket, data?.value ?? []);
  if (!asked) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={`${doerOf(asked)}：${asked.transition.transition_name}`}
      description={<span className="ticket-text">{asked.suggestion}</span>}
    />
  );
}

/** The commented action that returned the ticket to the reader, or asks for the reader's opinion. */
export function askedBy(
  { act_state_id, transitions }: Pick<Detail, 'act_state_id' | 'transitions'>,
  newestFirst: readonly FlowLog[],
): FlowLog | undefined {
  const mine = transitions.some((offer) => offer.task_no !== null);
  const answers = transitions.some((offer) => offer.code === 'add_node_end');
  const moved = newestFirst.find((log) => !still.includes(log.action));
  const refused = moved?.transition.attribute_type_id === attributeType.refuse && act_state_id === actState.returned;
  const back = mine && (moved?.action === 'return' || refused) ? moved : undefined;
  const adds = ({ action }: FlowLog) => action === 'add_node' || action === 'delegate';
  const found = answers ? newestFirst.find(adds) : back;
  return found?.suggestion ? found : undefined;
}
