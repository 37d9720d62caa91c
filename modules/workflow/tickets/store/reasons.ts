import type { Db } from '#kernel/server/db/db.ts';
import type { PersonCard } from '#modules/platform/people/service.ts';
import { describe, fieldsOf, type Wording } from '#modules/workflow/workflows/engine/condition.ts';
import { stateOf, type Definition, type State } from '#modules/workflow/workflows/engine/definition.ts';
import { shownValue, type Sight } from '../engine/fields.ts';
import type { TicketState, Trace } from '../engine/state.ts';
import { wordsFor } from '../read/sources.ts';

type Condition = Extract<Trace, { about: 'condition' }>;
/** The data needed to put a log's traces into words for one reader. */
export interface Reasons {
  definition: Definition;
  wording: Wording;
  sources: (state: State) => string[];
  /** Keys of the fields the reader may see. */
  sees: ReadonlySet<string>;
  people: ReadonlyMap<number, PersonCard>;
  creator: number;
}

/** Fetches everything needed to word the traces of some rows: one statement for the names of departments, roles and groups, or none. */
export async function reasonsFor(
  tx: Db,
  { state, version: { definition } }: { state: TicketState; version: { definition: Definition } },
  traces: readonly Trace[],
  sight: Sight,
): Promise<Omit<Reasons, 'people'>> {
  const expressions = traces.flatMap((trace) => {
    const branch = trace.about === 'condition' && trace.result ? branchOf(definition, trace) : undefined;
    return branch ? [branch.expression] : [];
  });
  const asked = traces.flatMap((trace) =>
    trace.about === 'people' && trace.people.length > 0 ? (stateIn(definition, trace.state_id) ?? []) : [],
  );
  return {
    definition,
    creator: state.creator,
    ...(await wordsFor(tx, definition, { states: [...new Set(asked)], conditions: expressions })),
    sees: new Set(sight.keys()),
  };
}

const branchOf = ({ transitions }: Definition, { transition_id, index }: Condition) =>
  transitions.find((one) => one.id === transition_id)?.conditions[index];
const stateIn = ({ states }: Definition, id: number) => states.find((one) => one.id === id);
const nameOf = (definition: Definition, id: number) => stateIn(definition, id)?.name ?? '已删除的环节';
const mostNamed = 5;

/** The people a trace names, without the creator, whom the sentence names itself: a second name would read as the present holder. */
export const namedInTrace = (trace: readonly Trace[], creator: number): number[] =>
  trace.flatMap((one) =>
    one.about === 'people'
      ? [...one.people.slice(0, mostNamed), ...one.left_out.filter((id) => id !== creator)]
      : one.about === 'ballot'
        ? [...one.spared, ...one.not_needed]
        : one.about === 'ended'
          ? one.people
          : [],
  );

const namesOf = (ids: readonly number[], people: Reasons['people']) =>
  ids.map((id) => people.get(id)?.alias ?? '').filter((name) => name !== '');

/** Why it went this way: the condition with its values, who is asked and why, who is left out and why. */
export function reasonOf(trace: Trace, reasons: Reasons): string[] {
  const { definition, people, creator, sources } = reasons;
  if (trace.about === 'condition') return trace.result ? [wayOf(trace, reasons)].filter((words) => words !== '') : [];
  if (trace.about === 'straight_back') {
    const name = nameOf(definition, trace.state_id);
    return [trace.kept ? `重要内容没有改动，直接回到“${name}”` : `重要内容有改动，不再直接回到“${name}”`];
  }
  if (trace.about === 'ended') {
    const who = namesOf(trace.people, people).join('、');
    return [`“${nameOf(definition, trace.state_id)}”${who && `（${who}）`}随之结束，不再办理`];
  }
  const called = (ids: readonly number[]) => namesOf(ids, people);
  if (trace.about === 'ballot') {
    const { votes, needed, agreed, refused, spared, not_needed } = trace;
    return [
      [
        `“${nameOf(definition, trace.state_id)}”共 ${votes} 人，需要 ${needed} 人同意，已同意 ${agreed} 人、拒绝 ${refused} 人`,
        ...(spared.length > 0 ? [`${called(spared).join('、')}沿用先前的同意`] : []),
        ...(not_needed.length > 0 ? [`${called(not_needed).join('、')}不再需要办理`] : []),
      ].join('；'),
    ];
  }
  const out = called(trace.left_out.filter((id) => id !== creator));
  const why = trace.why === '' ? [] : [out.length > 0 ? `${trace.why}（${out.join('、')}）` : trace.why];
  const state = stateIn(definition, trace.state_id);
  const asked = called(trace.people.slice(0, mostNamed));
  if (!state || asked.length === 0) return why;
  const rest = trace.people.length > asked.length ? `等 ${trace.people.length} 人` : '';
  return [`“${state.name}”由 ${asked.join('、')}${rest} 办理，${sources(state).join('，') || '由人指定'}`, ...why];
}

/** A condition in words with its values, if the reader may see all its fields; otherwise only its result. */
function wayOf(trace: Condition, { definition, wording, sees }: Reasons): string {
  const branch = branchOf(definition, trace);
  if (!branch) return '';
  const target = stateOf(definition, branch.target_state_id).name;
  const keys = fieldsOf(branch.expression);
  if (!keys.every((key) => sees.has(key))) return `符合条件，转到“${target}”`;
  const values = keys.flatMap((key) => {
    const field = definition.fields.find((one) => one.key === key);
    const value = trace.values?.[key];
    return field && value !== undefined ? [`${field.name}为 ${shownValue(field, value, new Map())}`] : [];
  });
  const said = values.length > 0 ? `（当时${values.join('，')}）` : '';
  return `符合条件“${describe(branch.expression, wording)}”${said}，转到“${target}”`;
}
