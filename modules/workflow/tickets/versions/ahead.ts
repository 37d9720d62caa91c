import type { BodyOf, ReplyOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { stateOf, type State } from '#modules/workflow/workflows/engine/definition.ts';
import { isWritable, rightIn } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { rowsIn } from '#modules/workflow/workflows/engine/fields/table-rows.ts';
import { creatorFacts } from '../commands/facts.ts';
import type { tickets } from '../contract.ts';
import { readValue } from '../engine/form/values.ts';
import type { TicketState } from '../engine/state.ts';
import { formsDecided } from '../fields/forms.ts';
import { contentOf } from '../records/records.ts';
import type { Stored } from '../store/store.ts';
import { walkOn } from './walk.ts';

/** States that ask nobody and notify nobody. */
const silent: readonly string[] = ['condition', 'parallel_split', 'inclusive', 'join'];

/** The states a ticket would go through from here if everybody agreed, with the form as typed now; nothing is written. */
export async function ahead(
  tx: Db,
  stored: Stored,
  { values, choose = {} }: BodyOf<typeof tickets.ahead>,
): Promise<ReplyOf<typeof tickets.ahead>> {
  const { version, state: ticket } = stored;
  const { definition, workflow_id } = version;
  if (ticket.act_state !== actState.ongoing || ticket.suspended) return { steps: [], stop: '' };
  const open = new Set(ticket.tasks.filter((task) => task.status === 'todo').map((task) => task.no));
  const isHere = ({ tasks }: TicketState) => tasks.some((task) => task.status === 'todo' && open.has(task.no));
  const writable = (state: State) =>
    Object.fromEntries(
      definition.fields.flatMap((field) => {
        const { access, columns } = rightIn(state, field);
        if (!(field.key in values) || !isWritable(access)) return [];
        const read = readValue(field, values[field.key], { columns, before: rowsIn(ticket.form[field.key]) });
        return 'msg' in read ? [] : [[field.key, values[field.key]]];
      }),
    );
  const { log, stop } = await walkOn(tx, {
    workflow_id,
    parent_ticket_id: stored.parent_ticket_id,
    definition,
    ticket,
    creator: await creatorFacts(tx, ticket.creator, ticket.creator_dept),
    of_record: stored.record !== null,
    words: (state, now) => (isHere(now) ? { fields: writable(state), choose } : { fields: {}, choose: {} }),
    forms: (walked) => formsDecided(tx, stored.id, walked),
    record: () => contentOf(tx, stored.record),
  });
  const entered = log.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === 'token_entered' ? stateOf(definition, event.state_id) : [])),
  );
  const steps = entered.filter((state) => !state.hidden && !silent.includes(state.kind));
  return { steps: steps.map((state) => ({ state_id: state.id, state_name: state.name })), stop };
}
