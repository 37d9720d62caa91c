import type { Command } from '#modules/workflow/tickets/engine/decide.ts';
import { awaits } from '#modules/workflow/tickets/engine/people/awaiting.ts';
import { noRights, offered } from '#modules/workflow/tickets/engine/ways/offers.ts';
import { isStall } from '#modules/workflow/tickets/engine/stalling.ts';
import { isOver, newTicket, type TicketState } from '#modules/workflow/tickets/engine/state.ts';
import { run, type Organisation } from '#modules/workflow/tickets/engine/testing/run.ts';
import { fieldAccess, fieldType, isNumberType } from '../codes.ts';
import { stateOf, timerOf, type Definition, type Field } from '../definition.ts';

/** The results of all runs of a definition by the running engine. */
export interface Explored {
  /** The number of positions examined; a definition that is too large is not judged. */
  places: number;
  whole: boolean;
  /** Positions from which nobody can finish the ticket, without its administrators. */
  stuck: string[];
  /** Reasons for which administrators were called. */
  stalls: string[];
}

/** All runs of a ticket, with every actor, button, input and choice. */
export function explored(
  definition: Definition,
  organisation: Organisation,
  people: readonly number[],
  most = 3000,
): Explored {
  const first = newTicket(1, 1);
  const seen = new Map([[placeOf(definition, first), first]]);
  const before = new Map<string, string[]>();
  const good: string[] = [];
  const stalls = new Set<string>();
  for (const [place, state] of seen) {
    if (isOver(state)) {
      good.push(place);
      continue;
    }
    const stalled = state.tasks.filter(isStall);
    for (const task of stalled) stalls.add(task.reason);
    if (stalled.length > 0) good.push(place);
    if (seen.size > most) break;
    for (const one of next(definition, state, organisation, people)) {
      const to = placeOf(definition, one);
      before.set(to, [...(before.get(to) ?? []), place]);
      if (!seen.has(to)) seen.set(to, one);
    }
  }
  const finishing = new Set(good);
  for (const place of finishing) for (const earlier of before.get(place) ?? []) finishing.add(earlier);
  const whole = seen.size <= most;
  const begun = [...seen].filter(([, state]) => state.seq > 0);
  const stuck = whole ? begun.flatMap(([place]) => (finishing.has(place) ? [] : [place])) : [];
  return { places: seen.size, whole, stuck, stalls: [...stalls] };
}

/** Decisions that may be kept: for each person, the last in each state that keeps them. */
export function keptIn(definition: Definition, { tasks }: TicketState): string[] {
  const keeping = definition.states.flatMap((state) => (state.keep_unchanged ? state.id : []));
  const decided = tasks.filter(
    ({ state_id, status }) => keeping.includes(state_id) && ['agree', 'refuse', 'other'].includes(status),
  );
  const last = new Map(
    decided.map(({ state_id, assignee, transition_id }) => [`${state_id}/${assignee}`, transition_id]),
  );
  return [...last].map((one) => one.join()).toSorted();
}

/** The parts of a ticket that determine how it can go on. */
const placeOf = (definition: Definition, state: TicketState) =>
  JSON.stringify([
    state.act_state,
    state.seq === 0,
    state.form,
    state.chosen,
    state.tokens.map((token) => [token.state_id, token.status, token.returned]),
    state.tasks
      .filter((task) => state.tokens.some((token) => token.no === task.token && token.visit === task.visit))
      .map((task) => [task.assignee, task.status, task.pooled, task.transition_id, task.origin]),
    state.tasks.some((task) => task.status === 'agree' && task.round === state.round),
    keptIn(definition, state),
  ]);

function next(definition: Definition, state: TicketState, organisation: Organisation, people: readonly number[]) {
  const after = (command: Parameters<typeof run>[2]): TicketState[] => {
    const decision = run(definition, state, command, organisation);
    return decision.kind === 'decided' ? [decision.state] : [];
  };
  const timers = state.tokens.flatMap(({ no, visit, state_id, status }) =>
    status === 'active' && timerOf(definition, state_id) ? after({ type: 'timer', token: no, visit }) : [],
  );
  // Another system succeeds or fails; lower tickets end.
  const byOthers = state.tokens.flatMap((token) => {
    const place = { token: token.no, visit: token.visit };
    if (token.status !== 'active') return [];
    if (stateOf(definition, token.state_id).kind === 'subticket') return after({ type: 'children', ...place });
    if (awaits(definition, state, token) !== 'result') return [];
    const answer = { type: 'answer', ...place, msg: '', people: [] } as const;
    return [
      ...fillings(definition, token.state_id).flatMap((fields) => after({ ...answer, ok: true, fields })),
      ...after({ ...answer, ok: false, fields: {} }),
    ];
  });
  const byPeople = people.flatMap((actor) =>
    offered(definition, state, actor, noRights).flatMap((offer) => {
      const task_no = offer.task_no ?? undefined;
      if (offer.action === 'accept') return after({ type: 'accept', actor, task_no });
      if (offer.action === 'return') {
        const said = { type: 'return', actor, task_no, suggestion: '好' } as const;
        const beside = offer.beside ? eachOf(offer.beside) : [];
        return [
          ...offer.choices.flatMap((state_id) => after({ ...said, state_id })),
          ...beside.flatMap((state_ids) => after({ ...said, state_ids })),
        ];
      }
      if (offer.action !== 'create' && offer.action !== 'handle') return [];
      return fillings(definition, offer.state_id ?? 0).flatMap((fields) =>
        picks(definition).flatMap((choose) =>
          after({
            type: offer.action,
            actor,
            transition_id: offer.transition?.id ?? 0,
            suggestion: '好',
            fields,
            choose,
            ...(offer.action === 'handle' ? { task_no } : {}),
          } as Command),
        ),
      );
    }),
  );
  return [...timers, ...byOthers, ...byPeople];
}

/** One state of each of several branches, in every combination. */
const eachOf = (branches: readonly (readonly number[])[]): number[][] =>
  branches.reduce<number[][]>((sets, ids) => sets.flatMap((set) => ids.map((id) => [...set, id])), [[]]);

const writing: unknown[] = [fieldAccess.required, fieldAccess.optional];

function fillings(definition: Definition, stateId: number): Record<string, unknown>[] {
  const { access } = stateOf(definition, stateId);
  return definition.fields
    .filter((field) => writing.includes(access[field.key]))
    .reduce<Record<string, unknown>[]>(
      (sets, field) => sets.flatMap((set) => valuesOf(field).map((value) => ({ ...set, [field.key]: value }))),
      [{}],
    );
}

function valuesOf({ type, choices, min = 0, max = 9, columns }: Field): unknown[] {
  if (type === fieldType.table) return [null, [{ [columns[0]?.key ?? '']: 'x' }]];
  if (isNumberType(type)) return [null, min, Math.floor((min + max) / 2), max];
  if (type === fieldType.user) return [null, 'u2'];
  if (type === fieldType.users) return [null, ['u2']];
  if (type === fieldType.dept) return [null, 2];
  if (type === fieldType.depts) return [null, [2]];
  if (type === fieldType.bool) return [null, true, false];
  if (type === fieldType.select || type === fieldType.radio) return [null, ...choices.map((choice) => choice.value)];
  return [null, 'x'];
}

/** Nobody is chosen, or the same person wherever possible. */
function picks({ states }: Definition): Record<string, string[]>[] {
  const open = states.filter((state) =>
    state.participants.some((who) => 'variable' in who && who.variable.endsWith('_select')),
  );
  return open.length === 0 ? [{}] : [{}, Object.fromEntries(open.map((state) => [state.id, ['u2']]))];
}
