import { participantType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Participant, State } from '#modules/workflow/workflows/engine/definition.ts';
import type { TicketState } from '../state.ts';

type Superiors = Extract<
  Participant,
  { type: typeof participantType.superior } | { type: typeof participantType.superiors }
>;

/** Asks the organisation; throws if an answer is missing. */
type Ask = (
  queries: readonly {
    kind: 'dept_path' | 'dept_head' | 'dept_fzr' | 'dept_ld' | 'role' | 'post';
    of: number | string;
  }[],
) => number[];

/**
 * The superiors of a ticket's creator, one list for each level: the head of their department, its leader in charge, then those of the departments
 * above. Each person once, at the lowest level, and never the creator; a level without people is left out, or is empty if `gaps` says that it counts.
 */
function levelsAbove(ticket: TicketState, gaps: Superiors['gaps'], ask: Ask): number[][] {
  if (ticket.creator_dept === null) return [];
  const path = ask([{ kind: 'dept_path', of: ticket.creator_dept }]);
  const parts = path.flatMap((of) => [{ kind: 'dept_fzr', of } as const, { kind: 'dept_ld', of } as const]);
  ask(parts);
  const seen = new Set([ticket.creator]);
  const levels = parts.map((part) => {
    const fresh = ask([part]).filter((person) => !seen.has(person));
    for (const person of fresh) seen.add(person);
    return fresh;
  });
  return gaps === 'skip' ? levels.filter((people) => people.length > 0) : levels;
}

/**
 * The heads, or else the leaders in charge, of the nearest department that has any who may act: of those that a state names, each by itself, or of the
 * creator's, and then of the departments above.
 */
export function nearestHeads(
  { participants }: Pick<State, 'participants'>,
  ticket: TicketState,
  ask: Ask,
  mayAct: (person: number) => boolean,
): number[] {
  const named = participants.flatMap((who) => {
    if (who.type === participantType.dept || who.type === participantType.deptHeads) return who.depts;
    return who.type === participantType.fieldHeads ? [ticket.form[who.field] ?? []].flat().map(Number) : [];
  });
  const own = ticket.creator_dept === null ? [] : [ticket.creator_dept];
  const paths = (named.length > 0 ? named : own).map((of) => ({ kind: 'dept_path', of }) as const);
  const partsOf = (depts: readonly number[]) =>
    depts.flatMap((of) => [{ kind: 'dept_head', of } as const, { kind: 'dept_ld', of } as const]);
  ask(partsOf(ask(paths)));
  const found = paths.flatMap((path) => {
    const parts = partsOf(ask([path])).map((part) => ask([part]).filter(mayAct));
    return parts.find((people) => people.length > 0) ?? [];
  });
  return [...new Set(found)];
}

/** The people of one level, or of every level up to the last one wanted, from below. */
export function superiorsOf(who: Superiors, ticket: TicketState, ask: Ask): number[] {
  const levels = levelsAbove(ticket, who.gaps, ask);
  if (who.type === participantType.superior) return levels[who.level - 1] ?? [];
  const { until } = who;
  if ('level' in until) return levels.slice(0, until.level).flat();
  const [kind, of] = 'role' in until ? (['role', until.role] as const) : (['post', until.post] as const);
  const last = ask([{ kind, of }]);
  const top = levels.findIndex((people) => people.some((person) => last.includes(person)));
  return levels.slice(0, top < 0 ? levels.length : top + 1).flat();
}
