import type { Wording } from './condition.ts';
import type { Definition } from './definition.ts';

/** How conditions of a definition are put in words: names of fields and labels of choices. */
export function wordingOf(definition: Definition): Wording {
  const fieldOf = (key: string) => definition.fields.find((field) => field.key === key);
  return {
    field: (key) => fieldOf(key)?.name ?? key,
    value: (key, value) =>
      fieldOf(key)?.choices.find((choice) => choice.value === value)?.label ??
      (typeof value === 'boolean' ? (value ? '是' : '否') : String(value)),
  };
}
