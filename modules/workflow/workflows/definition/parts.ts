import type { Definition } from '../engine/definition.ts';
import { withoutField } from '../engine/naming/removal.ts';
import { renamedField } from '../engine/naming/renaming.ts';

export type PartKind = 'states' | 'transitions' | 'fields';
type Part = { id: number; key: string };

/** The definition with one more part. */
export function withPart(definition: Definition, kind: PartKind, part: Part): Definition {
  return { ...definition, [kind]: [...definition[kind], part] };
}

/** The definition with one part changed; missing fields stay. */
export function withChange(definition: Definition, kind: PartKind, id: number, change: object): Definition {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const parts: readonly Part[] = definition[kind];
  const before = parts.find((part) => part.id === id);
  const changed = { ...definition, [kind]: parts.map((part) => (part.id === id ? { ...part, ...given } : part)) };
  const key = (given as Partial<Part>).key;
  return kind === 'fields' && before && key !== undefined ? renamedField(changed, before.key, key) : changed;
}

/** The definition without a part and everything that depends on it: a state's transitions, what others say of a field. */
export function withoutPart(definition: Definition, kind: PartKind, part: Part): Definition {
  if (kind === 'fields') return withoutField(definition, part);
  const rest: Definition = {
    ...definition,
    [kind]: (definition[kind] as readonly Part[]).filter((other) => other.id !== part.id),
  };
  if (kind === 'transitions') return rest;
  return {
    ...rest,
    transitions: rest.transitions
      .filter((transition) => transition.source !== part.id && transition.destination !== part.id)
      .map((transition) => ({
        ...transition,
        conditions: transition.conditions.filter((branch) => branch.target_state_id !== part.id),
      })),
  };
}
