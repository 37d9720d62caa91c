import type { FieldFilter } from '../../contract.ts';
import { fieldType } from '../codes.ts';
import { startOf, type Definition, type Field } from '../definition.ts';
import { choiceTree, flatChoices } from './choice-tree.ts';
import { hiddenIn, isShownToAll } from '../templates.ts';

export const ranged: readonly number[] = [
  fieldType.int,
  fieldType.rating,
  fieldType.float,
  fieldType.money,
  fieldType.date,
  fieldType.dateRange,
  fieldType.datetime,
];
export const single: readonly number[] = [...ranged, fieldType.bool, fieldType.radio, fieldType.select, fieldType.user];
export const several: readonly number[] = [
  fieldType.checkbox,
  fieldType.multiSelect,
  fieldType.users,
  fieldType.region,
  fieldType.cascade,
];
export const texts: readonly number[] = [
  fieldType.string,
  fieldType.phone,
  fieldType.identity,
  fieldType.place,
  fieldType.textarea,
];
export const sortable: readonly number[] = [
  ...ranged,
  fieldType.bool,
  fieldType.radio,
  fieldType.select,
  fieldType.string,
];

/**
 * True if every viewer of a ticket sees a field; in one's own tickets the start's fields count too. A field some state hides is hidden from that
 * state's people, who must not find it out by filtering.
 */
export function shows(definition: Definition, key: string, own: boolean): boolean {
  if (isShownToAll(definition, key)) return true;
  return own && !hiddenIn(definition, key) && Object.hasOwn(startOf(definition).access, key);
}

/** The fields lists may be filtered and sorted by, each taken from the newest version (the first) that shows it. */
export function askableFields(versions: readonly { definition: Definition }[]): FieldFilter[] {
  const found = new Map<string, FieldFilter>();
  for (const own of [false, true]) {
    for (const { definition } of versions) {
      for (const field of definition.fields) {
        if (found.has(field.key) || !shows(definition, field.key, own)) continue;
        const filter = filterOf(field);
        if (filter) found.set(field.key, { ...named(field), filter, sortable: sortable.includes(field.type), own });
      }
    }
  }
  return [...found.values()];
}

/** The tables whose rows may be exported, by the same rule. */
export function tablesShown(versions: readonly { definition: Definition }[]) {
  const found = new Map<string, { field_key: string; field_name: string; own: boolean }>();
  for (const own of [false, true])
    for (const { definition } of versions)
      for (const { key, name, type } of definition.fields)
        if (type === fieldType.table && !found.has(key) && shows(definition, key, own))
          found.set(key, { field_key: key, field_name: name, own });
  return [...found.values()];
}

function named({ key, name, type, choices, boolean_display: { yes, no } }: Field) {
  const options = [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ];
  const offered = type === fieldType.cascade ? flatChoices(choiceTree(choices)) : choices;
  return {
    field_key: key,
    field_name: name,
    choices: type === fieldType.bool ? options : offered.map(({ value, label }) => ({ value, label })),
  };
}

function filterOf({ type }: Field): FieldFilter['filter'] | null {
  if (texts.includes(type)) return 'text';
  if (type === fieldType.date || type === fieldType.dateRange) return 'date';
  if (type === fieldType.region) return 'region';
  if (type === fieldType.datetime) return 'datetime';
  if (ranged.includes(type)) return 'number';
  if (type === fieldType.user || type === fieldType.users) return 'person';
  return single.includes(type) || several.includes(type) ? 'choice' : null;
}
