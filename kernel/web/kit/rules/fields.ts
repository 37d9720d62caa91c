import { z } from 'zod';
import type { RuleMeta, Rules } from '#kernel/contract/rules.ts';
import type { FormField } from '../form/FieldInput.tsx';

/** The fields of a form as the shape of rules gives them, in its order. */
export function ruleFields(
  shape: Rules['shape'],
  instead: Readonly<Record<string, Partial<FormField> | null>> = {},
): FormField[] {
  return Object.entries(shape).flatMap(([name, schema]): FormField[] => {
    const {
      title = name,
      hidden,
      help,
      group,
      kind,
      options,
      multiple,
    } = (z.globalRegistry.get(schema as z.ZodType) ?? {}) as Partial<RuleMeta>;
    if (hidden || instead[name] === null) return [];
    const said = { help, group, kind, options: options && [...options], multiple };
    const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
    return [{ name, label: title, ...given, ...instead[name] }];
  });
}
