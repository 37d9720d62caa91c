import { Definition, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import type { Command } from '../decide.ts';
import type { TicketState } from '../state.ts';
import type { Organisation } from './run.ts';

type States = DefinitionInput['states'];
type Transition = DefinitionInput['transitions'][number];

/** A workflow without a form: these states between a start, which is 1, and the end. `ways`: name, source, destination, attribute, by number. */
export function flowOf(
  states: States,
  end: number,
  ways: [name: string, source: number, destination: number, attribute: Transition['attribute']][],
): Definition {
  return Definition.parse({
    name: '流程',
    fields: [],
    settings: { title_template: '{workflow}' },
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1 },
      ...states,
      { id: end, key: 'end', name: '结束', kind: 'end', order: end },
    ],
    transitions: ways.map(([name, source, destination, attribute], index) => ({
      id: index + 1,
      key: `t${index + 1}`,
      name,
      source,
      destination,
      attribute,
    })),
  });
}

/** People are numbers, with `u` and the number as user name; there are no roles. */
export const numbered: Organisation = ({ kind, of }) => {
  if (kind === 'username') return [Number(String(of).slice(1))];
  return kind === 'user' ? [Number(of)] : [];
};

export const words = { suggestion: '好', fields: {}, choose: {} };
/** Presses a button of a ticket, or the one that starts it. */
export const press = (state: TicketState, actor: number, transition_id: number): Command => ({
  type: state.seq === 0 ? 'create' : 'handle',
  actor,
  transition_id,
  ...words,
});
/** The people with an open task. */
export const waitingFor = (state: TicketState): number[] =>
  state.tasks.filter((task) => task.status === 'todo').map((task) => task.assignee);
