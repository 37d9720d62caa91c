import type { Wording } from './condition.ts';
import { fieldType } from './codes.ts';
import type { Definition } from './definition.ts';
import { regionName } from './fields/regions.ts';

/** Wording of a definition's conditions: names of fields and labels of choices. */
export function wordingOf(definition: Definition): Wording {
  const fieldOf = (key: string) => definition.fields.find((field) => field.key === key);
  return {
    field: (key) => fieldOf(key)?.name ?? key,
    value: (key, value) =>
      (fieldOf(key)?.type === fieldType.region ? regionName(String(value)) : undefined) ??
      fieldOf(key)?.choices.find((choice) => choice.value === value)?.label ??
      (typeof value === 'boolean' ? (value ? '是' : '否') : String(value)),
  };
}
