import { attributeType, distributeType, rejectRule } from '../codes.ts';
import type { Distribution, Transition } from '../definition.ts';

/** One person's vote in a visit so far. `waiting`: their turn has not come. */
export interface Vote {
  no: number;
  group_seq: number;
  status: 'todo' | 'waiting' | 'agree' | 'refuse' | 'other';
  transition_id: number | null;
}
/** Either the exit, or the person whose turn is next (null: somebody has it already). */
export type Outcome = { go: number } | { wait: number | null };

/**
 * The result of a state's votes; total for every multiset with at least one vote. While nothing is decided, somebody has a task or `wait` names the
 * one to open. `exits`: the state's transitions in their order.
 */
export function outcome(distribution: Distribution, votes: readonly Vote[], exits: readonly Transition[]): Outcome {
  const cast = votes.filter((vote) => vote.status !== 'todo' && vote.status !== 'waiting');
  const open = votes.length - cast.length;
  const of = (status: Vote['status']) => cast.filter((vote) => vote.status === status);
  const [agrees, refusals, others] = [of('agree'), of('refuse'), of('other')];
  const go = (...kinds: (readonly Vote[])[]): Outcome => ({
    go: favourite(kinds.find((k) => k.length > 0) ?? [], exits),
  });

  switch (distribution.type) {
    case distributeType.all: {
      if (distribution.reject_rule === rejectRule.veto && refusals.length > 0) return go(refusals);
      if (distribution.reject_rule === rejectRule.ratio) {
        const enough = distribution.pass_ratio * votes.length;
        if (agrees.length * 100 >= enough) return go(agrees);
        if ((agrees.length + open) * 100 < enough) return go(refusals, others);
      }
      if (open > 0) break;
      return refusals.length > 0 ? go(refusals) : go(cast);
    }
    case distributeType.sequential:
      if (refusals.length + others.length > 0) return go(refusals, others);
      if (open === 0) return go(agrees);
      break;
    default:
      // The first to act decides; a refusal, unless the rule says otherwise, only when nobody is left who might agree.
      if (refusals.length > 0 && vetoes(distribution)) return go(refusals);
      if (agrees.length + others.length > 0) return go(agrees, others);
      if (open === 0) return go(refusals);
  }
  return { wait: nextTurn(votes) };
}

const vetoes = (distribution: Distribution) =>
  distribution.type === distributeType.direct && distribution.reject_rule === rejectRule.veto;

function nextTurn(votes: readonly Vote[]): number | null {
  if (votes.some((vote) => vote.status === 'todo')) return null;
  const [first] = votes
    .filter((vote) => vote.status === 'waiting')
    .toSorted((a, b) => a.group_seq - b.group_seq || a.no - b.no);
  return first?.no ?? null;
}

/** The button most of these chose; among equals the first. */
function favourite(votes: readonly Vote[], exits: readonly Transition[]): number {
  const counted = exits.map((exit) => ({
    id: exit.id,
    count: votes.filter((vote) => vote.transition_id === exit.id).length,
  }));
  const best = counted.reduce((a, b) => (b.count > a.count ? b : a));
  return best.id;
}

/** The decision as a task stores it. */
export function decisionOf(transition: Transition): 'agree' | 'refuse' | 'other' {
  if (transition.attribute === attributeType.agree) return 'agree';
  return transition.attribute === attributeType.refuse ? 'refuse' : 'other';
}
