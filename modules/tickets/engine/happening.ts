import { exitsOf, stateOf, timerOf, type Definition, type Transition } from '#modules/workflows/engine/definition.ts';
import { notOffered } from '../contract/refusals.ts';
import { leave } from './routing.ts';
import { isOver, type Token } from './state.ts';
import { begin, cancel, type Work } from './work.ts';

/** What happens by itself: a time is over, or all tickets below a state are. It belongs to one visit of one token. */
export interface Happening {
  type: 'timer' | 'children';
  token: number;
  visit: number;
}

const words = {
  timer: { suggestion: '到时间自动流转' },
  children: { suggestion: '下级工单已全部办结' },
};

/** Lets a token go on by itself; refused where it has left the visit, so that what comes twice or late does nothing. */
export function befall(work: Work, { type, token: no, visit }: Happening): void {
  const { definition, state } = work;
  const token = state.tokens.find((one) => one.no === no && one.visit === visit && one.status === 'active');
  const way = token && wayOf(definition, token, type);
  if (!token || !way || isOver(state) || state.suspended) throw notOffered('这一步已经不需要了', state.act_state, []);
  begin(work, null, type, token.state_id, words[type], way);
  cancel(
    work,
    state.tasks.filter((task) => task.token === no && task.visit === visit),
    words[type].suggestion,
  );
  leave(work, token, way, 0);
}

function wayOf(definition: Definition, { state_id }: Token, type: Happening['type']): Transition | undefined {
  if (type === 'timer') return timerOf(definition, state_id);
  return stateOf(definition, state_id).kind === 'subticket' ? exitsOf(definition, state_id)[0] : undefined;
}
