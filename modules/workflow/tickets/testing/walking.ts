import type { Client, TestOffice } from '#apps/server/testing.ts';
import { actState, attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { tickets } from '../contract.ts';

/** A ticket's position in the database. */
interface Standing {
  definition: Definition;
  act_state: number;
  state_ids: number[];
  /** The people with an open task, the longest waiting first. */
  holders: { assignee_id: number; state_id: number }[];
}
type Fields = Record<string, unknown>;

/** Actions on tickets in tests, with workflows, states and buttons named as on the page. */
export function walking(app: TestOffice) {
  const query = async <T extends object>(text: string, values: unknown[]) =>
    (await app.db.$client.query<T>(text, values)).rows;
  const standing = async (id: number): Promise<Standing> => {
    const [found] = await query<Standing>(
      `select v.definition, t.act_state,
         array(select state_id from ticket_token where ticket_id = t.id and status <> 'done' order by no) as state_ids,
         coalesce((select json_agg(k order by k.opened_at, k.no) from ticket_task k
           where k.ticket_id = t.id and k.status = 'todo'), '[]') as holders
       from ticket t join workflow_version v on v.id = t.version_id where t.id = $1`,
      [id],
    );
    if (!found) throw new Error(`no such ticket: ${id}`);
    return found;
  };
  const stateOf = ({ definition }: Pick<Standing, 'definition'>, name: string) => {
    const state = definition.states.find((one) => one.name === name);
    if (!state) throw new Error(`no state ${name} among ${definition.states.map((one) => one.name).join('、')}`);
    return state.id;
  };
  /** The one button of this name, in the given states if any, else in the whole workflow. */
  const buttonOf = ({ definition }: Pick<Standing, 'definition'>, name: string, from: readonly number[]) => {
    const named = definition.transitions.filter((one) => one.name === name);
    const here = named.filter((one) => from.includes(one.source));
    const [found, ...others] = here.length > 0 ? here : named;
    if (found && others.length === 0) return found.id;
    throw new Error(`${others.length === 0 ? 'no' : 'more than one'} button ${name}: name its state with \`at\``);
  };
  const clients = new Map<number, Promise<Client>>();
  /** The person with this id, signed in once. */
  const as = (userId: number): Promise<Client> => {
    const known = clients.get(userId) ?? app.signIn(userId);
    clients.set(userId, known);
    return known;
  };
  const bodyOf = (transition_id: number, fields: Fields) => ({ transition_id, suggestion: '同意', ...fields });

  /** Presses the button of this name; returns the reply unchecked. `at`: the state of the button. */
  const press = async (who: Client, id: number, button: string, { at, ...fields }: Fields & { at?: string } = {}) => {
    const now = await standing(id);
    const from = at === undefined ? now.state_ids : [stateOf(now, at)];
    return who.ask(tickets.handle, { params: { id }, body: bodyOf(buttonOf(now, button, from), fields) });
  };
  return {
    as,
    press,
    /** Id of a workflow by its key. */
    flowOf: async (key: string): Promise<number> => {
      const [flow] = await query<{ id: number }>('select id from workflow where key = $1', [key]);
      if (!flow) throw new Error(`no such workflow: ${key}`);
      return flow.id;
    },
    /** Begins a ticket of a workflow, by key or id, with the button of this name. */
    begin: async (who: Client, flow: string | number, fields: Fields = {}, button = '提交') => {
      const [found] = await query<{ id: number; definition: Definition }>(
        `select w.id, v.definition from workflow w join workflow_version v on v.workflow_id = w.id
         where v.status = 'published' and ${typeof flow === 'string' ? 'w.key' : 'w.id'} = $1`,
        [flow],
      );
      if (!found) throw new Error(`no such workflow: ${flow}`);
      const from = found.definition.states.filter((state) => state.kind === 'start').map((state) => state.id);
      const transition_id = buttonOf(found, button, from);
      return who.get(tickets.start, { body: { workflow_id: found.id, transition_id, ...fields } });
    },
    /** A ticket's status, and the names of its present states. */
    standsIn: async (id: number): Promise<{ act_state: number; states: string[] }> => {
      const { definition, act_state, state_ids } = await standing(id);
      const states = definition.states.filter((state) => state_ids.includes(state.id)).map((state) => state.name);
      return { act_state, states };
    },
    /**
     * Lets the present handlers agree, one after the other, until the ticket reaches the named state or its end. `fill`: the fields of a state's
     * buttons, by its name.
     */
    approve: async (id: number, { until, fill = {} }: { until?: string; fill?: Record<string, Fields> } = {}) => {
      for (let turn = 0; turn < 100; turn += 1) {
        const now = await standing(id);
        if (until !== undefined && now.state_ids.includes(stateOf(now, until))) return;
        const [next] = now.holders;
        if (!next || (now.act_state !== actState.ongoing && now.act_state !== actState.finishAsked)) {
          if (until === undefined) return;
          throw new Error(`the ticket never came to ${until}`);
        }
        const who = await as(next.assignee_id);
        const offers = (await who.get(tickets.transitions, { params: { id } })).value;
        const accept = offers.find((offer) => offer.code === 'accept');
        if (accept) {
          await who.get(tickets.accept, { params: { id }, body: {} });
          continue;
        }
        const agrees = offers.find(
          (offer) =>
            offer.attribute_type_id === attributeType.agree &&
            offer.transition_id !== null &&
            offer.state_id === next.state_id,
        );
        const at = now.definition.states.find((state) => state.id === next.state_id)!.name;
        if (!agrees) throw new Error(`nobody can agree in ${at}`);
        await who.get(tickets.handle, { params: { id }, body: bodyOf(agrees.transition_id!, fill[at] ?? {}) });
      }
      throw new Error('the ticket goes round');
    },
  };
}
