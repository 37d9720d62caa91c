import { invalid } from '#kernel/contract/refusal.ts';
import { ask } from '../people/people.ts';
import { hasCome, mainStateId, type TicketState } from '../state.ts';
import { begin, emit, calledIn, type Work } from '../work.ts';

interface Said {
  actor: number;
  suggestion: string;
  /** User names. */
  people: readonly string[];
}

/** A comment; the people it mentions may view the ticket from now on. */
export function comment(work: Work, said: Said): void {
  begin(work, said.actor, 'comment', mainStateId(work.state) ?? 0, said, null);
  share(work, said, 'mentions', (person) => involved(work.state, person));
}

/** Copies the ticket to others. */
export function copy(work: Work, said: Said): void {
  begin(work, said.actor, 'cc', mainStateId(work.state) ?? 0, said, null);
  share(work, said, 'target_username', () => false);
}

/** Reminds those who must act. The caller sends the messages. */
export function urge(work: Work, { actor, suggestion }: Omit<Said, 'people'>): void {
  begin(work, actor, 'urge', mainStateId(work.state) ?? 0, { suggestion }, null);
}

/** Names people in an opinion; they may view the ticket from now on. `field`: where the request names them. */
export function mention(work: Work, people: readonly string[] = [], field = 'mentions'): void {
  if (people.length > 0) share(work, { people }, field, (person) => involved(work.state, person));
}

function share(work: Work, { people }: Pick<Said, 'people'>, field: string, knows: (person: number) => boolean): void {
  const queries = people.map((of) => ({ kind: 'username', of }) as const);
  const ids = ask(work.facts.people, queries);
  const unknown = queries.find((query) => ask(work.facts.people, [query]).length === 0);
  if (unknown) throw invalid([{ field, label: '用户', msg: `用户“${calledIn(work, unknown.of)}”不存在或已停用` }]);
  const had = new Set(Object.values(work.state.copied).flat());
  const fresh = ids.filter((person) => !had.has(person) && !knows(person));
  if (fresh.length > 0) emit(work, { type: 'copied', state_id: 0, people: fresh });
}

function involved(state: TicketState, person: number): boolean {
  return (
    person === state.creator ||
    person === state.begun_by ||
    state.tasks.some((task) => task.assignee === person && hasCome(state, task))
  );
}
