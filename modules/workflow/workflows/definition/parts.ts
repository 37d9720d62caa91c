import type { Definition } from '../engine/definition.ts';

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
  return kind === 'fields' && before && key !== undefined ? renamed(changed, before.key, key) : changed;
}

/** The definition without a part and everything that depends on it: a state's transitions, a field's access. */
export function withoutPart(definition: Definition, kind: PartKind, part: Part): Definition {
  const rest: Definition = {
    ...definition,
    [kind]: (definition[kind] as readonly Part[]).filter((other) => other.id !== part.id),
  };
  if (kind === 'transitions') return rest;
  if (kind === 'fields') return withoutField(rest, part.key);
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

function withoutField(definition: Definition, key: string): Definition {
  const { settings } = definition;
  const others = (keys: readonly string[]) => keys.filter((other) => other !== key);
  return {
    ...definition,
    states: definition.states.map((state) => {
      const { [key]: _gone, ...access } = state.access;
      const { [key]: _with, ...columns } = state.columns ?? {};
      return { ...state, access, ...(state.columns && { columns }) };
    }),
    settings: {
      ...settings,
      display_form: others(settings.display_form),
      key_fields: others(settings.key_fields),
      ...(settings.doubles && { doubles: { ...settings.doubles, fields: others(settings.doubles.fields) } }),
    },
  };
}

function renamed(definition: Definition, from: string, to: string): Definition {
  const { settings } = definition;
  const named = (keys: readonly string[]) => keys.map((key) => (key === from ? to : key));
  const inText = (template: string) => template.replaceAll(`{${from}}`, `{${to}}`);
  return {
    ...definition,
    states: definition.states.map((state) => ({
      ...state,
      access: Object.fromEntries(
        Object.entries(state.access).map(([key, access]) => [key === from ? to : key, access]),
      ) as typeof state.access,
      ...(state.columns && {
        columns: Object.fromEntries(
          Object.entries(state.columns).map(([key, columns]) => [key === from ? to : key, columns]),
        ),
      }),
    })),
    settings: {
      ...settings,
      title_template: inText(settings.title_template),
      content_template: inText(settings.content_template),
      display_form: named(settings.display_form),
      key_fields: named(settings.key_fields),
      ...(settings.doubles && { doubles: { ...settings.doubles, fields: named(settings.doubles.fields) } }),
    },
  };
}
