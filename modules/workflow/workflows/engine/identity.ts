import type { Definition } from './definition.ts';
import { reservedKeys } from './form.ts';
import { namedInNotices, unknownInNotices } from './templates.ts';

const kinds = ['states', 'transitions', 'fields'] as const;
type Kind = (typeof kinds)[number];
const nouns: Record<Kind, string> = { states: '环节', transitions: '流转', fields: '字段' };

/** Keys of parts with the numbers they have had in any version. */
export type KnownParts = Record<Kind, ReadonlyMap<string, number>>;

export function knownParts(definitions: readonly Definition[]): KnownParts {
  const of = (kind: Kind) =>
    new Map(definitions.flatMap((definition) => definition[kind].map((part) => [part.key, part.id] as const)));
  return { states: of('states'), transitions: of('transitions'), fields: of('fields') };
}

/** The smallest number no part has or had. */
export function nextId(known: ReadonlyMap<string, number>, parts: readonly { id: number }[]): number {
  return Math.max(0, ...known.values(), ...parts.map((part) => part.id)) + 1;
}

/** Why a draft cannot even be stored: parts that cannot be told apart, or a transition to nowhere. Null if it can. */
export function draftFault(draft: Definition): string | null {
  for (const kind of kinds) {
    const parts: readonly { id: number; key: string }[] = draft[kind];
    const id = twice(parts.map((part) => part.id));
    if (id !== undefined) return `${nouns[kind]}编号“${id}”重复，请改成不同的`;
    const key = twice(parts.map((part) => part.key));
    if (key !== undefined) return `${nouns[kind]}标识“${key}”重复，请改成不同的`;
  }
  const reserved = draft.fields.find((field) => (reservedKeys as readonly string[]).includes(field.key));
  if (reserved) return `字段“${reserved.name}”的标识“${reserved.key}”是系统保留字，请换一个`;
  const [unknown] = unknownInNotices(draft);
  if (unknown !== undefined)
    return `通知内容里的“{${unknown}}”没有对应的字段，请去掉，或改成 ${namedInNotices.map((name) => `{${name}}`).join('、')} 或字段的标识`;
  const states = new Set(draft.states.map((state) => state.id));
  for (const transition of draft.transitions) {
    const ends = [
      transition.source,
      transition.destination,
      ...transition.conditions.map((one) => one.target_state_id),
    ];
    const lost = ends.find((id) => !states.has(id));
    if (lost !== undefined) return `流转“${transition.name}”连着的环节 ${lost} 不在流程里`;
  }
  return null;
}

function twice<T>(values: readonly T[]): T | undefined {
  const seen = new Set<T>();
  for (const value of values) {
    if (seen.has(value)) return value;
    seen.add(value);
  }
  return undefined;
}

/**
 * The draft with its parts' permanent numbers: a part is identified by its key, gets back its number of earlier versions, and never one that another
 * key had. So an imported definition may replace one that tickets use.
 */
export function withOwnIds(draft: Definition, known: KnownParts): Definition {
  const states = numbers(draft.states, known.states);
  const transitions = numbers(draft.transitions, known.transitions);
  const fields = numbers(draft.fields, known.fields);
  const of = (map: ReadonlyMap<number, number>, id: number) => map.get(id) ?? id;
  return {
    ...draft,
    states: draft.states.map((state) => ({ ...state, id: of(states, state.id) })),
    transitions: draft.transitions.map((transition) => ({
      ...transition,
      id: of(transitions, transition.id),
      source: of(states, transition.source),
      destination: of(states, transition.destination),
      conditions: transition.conditions.map((one) => ({ ...one, target_state_id: of(states, one.target_state_id) })),
    })),
    fields: draft.fields.map((field) => ({ ...field, id: of(fields, field.id) })),
  };
}

/** Given number → permanent number. */
function numbers(
  parts: readonly { id: number; key: string }[],
  known: ReadonlyMap<string, number>,
): Map<number, number> {
  const taken = new Set(known.values());
  const kept = parts.filter((part) => !known.has(part.key) && !taken.has(part.id));
  let free = nextId(known, kept);
  return new Map(
    parts.map((part) => {
      const own = known.get(part.key) ?? (taken.has(part.id) ? free++ : part.id);
      return [part.id, own];
    }),
  );
}
