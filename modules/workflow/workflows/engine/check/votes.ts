import { attributeType, distributeType } from '../codes.ts';
import { exitsOf, type Definition, type Distribution, type State, type Transition } from '../definition.ts';
import { at, type Problem } from './problem.ts';

/** The running engine's decision from the votes of a state. */
export interface Vote {
  no: number;
  group_seq: number;
  status: 'todo' | 'waiting' | 'agree' | 'refuse' | 'other';
  transition_id: number | null;
}
export type Decide = (
  distribution: Distribution,
  votes: readonly Vote[],
  exits: readonly Transition[],
) => { go: number } | { wait: number | null };

const mostPeople = 3;
const deciders = ['approve', 'handle'];
const words = { agree: '同意', refuse: '拒绝', other: '选择其他' } as const;
type Word = keyof typeof words;

/** Every sequence of votes by up to three people in a state must end on one of its buttons; the first that does not is reported in words. */
export function voteProblems(definition: Definition, decide: Decide): Problem[] {
  return definition.states.flatMap((state) => {
    if (!deciders.includes(state.kind)) return [];
    const exits = exitsOf(definition, state.id);
    if (exits.length === 0) return [];
    for (let people = 1; people <= mostPeople; people++) {
      const stuck = stall(state.distribution, opening(state, people), exits, decide);
      if (stuck) return [at(state, sentence(state, people, stuck))];
    }
    return [];
  });
}

function opening({ distribution }: State, people: number): Vote[] {
  return Array.from({ length: people }, (_none, index) => ({
    no: index + 1,
    group_seq: index,
    status: distribution.type === distributeType.sequential && index > 0 ? 'waiting' : 'todo',
    transition_id: null,
  }));
}

/** Votes at which nothing is decided and nobody can act; null if there are none. */
function stall(
  distribution: Distribution,
  votes: readonly Vote[],
  exits: readonly Transition[],
  decide: Decide,
): readonly Vote[] | null {
  // The order in which people act makes no difference here: the next one stands for all.
  const next = votes.find((vote) => vote.status === 'todo');
  if (!next) return votes;
  for (const exit of oneOfEach(exits)) {
    const cast = votes.map((vote) =>
      vote === next ? { ...vote, status: wordOf(exit), transition_id: exit.id } : vote,
    );
    const result = decide(distribution, cast, exits);
    if ('go' in result) {
      if (!exits.some((candidate) => candidate.id === result.go)) return cast;
      continue;
    }
    const turn = result.wait;
    const after =
      turn === null ? cast : cast.map((vote) => (vote.no === turn ? { ...vote, status: 'todo' as const } : vote));
    const stuck = stall(distribution, after, exits, decide);
    if (stuck) return stuck;
  }
  return null;
}

/** Buttons of one kind decide alike; two of each kind are enough to disagree. */
function oneOfEach(exits: readonly Transition[]): Transition[] {
  return Object.values(attributeType).flatMap((attribute) =>
    exits.filter((exit) => exit.attribute === attribute).slice(0, 2),
  );
}

function wordOf(exit: Transition): Word {
  if (exit.attribute === attributeType.agree) return 'agree';
  return exit.attribute === attributeType.refuse ? 'refuse' : 'other';
}

const numerals = ['零', '一', '两', '三'];
function sentence(state: State, people: number, votes: readonly Vote[]): string {
  const parts = (Object.keys(words) as Word[]).flatMap((word) => {
    const count = votes.filter((vote) => vote.status === word).length;
    return count === 0 ? [] : [`${numerals[count]}人${words[word]}`];
  });
  const who = people === 1 ? '一人处理' : `${people === 2 ? '两' : numerals[people]}人会签`;
  return `${who}，${parts.join('、')}，工单会停在环节“${state.name}”，请调整会签规则`;
}
