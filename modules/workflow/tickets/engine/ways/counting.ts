import { distributeType, rejectRule } from '#modules/workflow/workflows/engine/codes.ts';
import { asksEverybody, type State } from '#modules/workflow/workflows/engine/definition.ts';
import { isOpen, type Task } from '../state.ts';
import { lastEntry, type Work } from '../work.ts';
import { slotsOf, votesOf } from './slots.ts';

/** Records how a vote was decided, if it ended before everybody had voted or counted an earlier opinion. `here`: tasks of the visit. */
export function count(work: Work, state: State, here: readonly Task[]): void {
  const [one] = here;
  if (!one || !asksEverybody(state)) return;
  const votes = votesOf(slotsOf(work.state, one.token, one.visit));
  const { distribution: by } = state;
  const ratio = by.type === distributeType.all && by.reject_rule === rejectRule.ratio ? by.pass_ratio : 100;
  const said = (status: string) => votes.filter((vote) => vote.status === status).length;
  const spared = here.filter(({ origin, status }) => origin === 'keep' && status === 'agree');
  const not_needed = here.filter((task) => isOpen(task) && !task.answers);
  if (votes.length < 2 || (spared.length === 0 && not_needed.length === 0)) return;
  lastEntry(work).trace.push({
    about: 'ballot',
    state_id: state.id,
    votes: votes.length,
    needed: Math.ceil((ratio * votes.length) / 100),
    agreed: said('agree'),
    refused: said('refuse'),
    spared: spared.map(({ assignee }) => assignee),
    not_needed: not_needed.map(({ assignee }) => assignee),
  });
}
