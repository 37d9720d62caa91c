import type { core } from 'zod';
import { fieldTitles } from './field-titles.ts';
import { titleOf } from '../titles.ts';

type Schema = core.$ZodType;
/** The parts of a schema's definition that lead to inner schemas. */
export interface Inner {
  innerType?: Schema;
  in?: Schema;
  element?: Schema;
  keyType?: Schema;
  valueType?: Schema;
  options?: readonly Schema[];
  getter?: () => Schema;
  shape?: Record<string, Schema>;
}

/** Returns the label of the field at a path: its own title, else the product's title for its name, else the label of its parent. */
export function labelOf(schema: Schema, path: readonly PropertyKey[]): string {
  let at: Schema[] = [schema];
  let label = '';
  for (const step of path) {
    const free = at.some(isFree);
    at = at.flatMap((one) => partsOf(one, step));
    const title = at.map(titleOf).find((one) => one !== undefined) ?? (free ? undefined : wordOf(step));
    label = title ?? (typeof step === 'number' ? `${label}第 ${step + 1} 项` : label);
  }
  return label || '提交的内容';
}

const wordOf = (step: PropertyKey) =>
  typeof step === 'string' && Object.hasOwn(fieldTitles, step) ? fieldTitles[step] : undefined;

/** True if the keys are freely chosen, so that they say nothing about their values. */
const isFree = (schema: Schema): boolean => {
  const { keyType, innerType, in: from, options } = schema._zod.def as Inner;
  if (keyType) return keyType._zod.values === undefined;
  return (options ?? [innerType ?? from]).some((one) => one !== undefined && isFree(one));
};

/** Returns the schemas that a step leads to, one for each form that the value may have. */
function partsOf(schema: Schema, step: PropertyKey): Schema[] {
  const { shape, element, valueType, innerType, in: from, options, getter } = schema._zod.def as Inner;
  if (shape) return Object.hasOwn(shape, step) ? [shape[String(step)]!] : [];
  if (element) return [element];
  if (valueType) return [valueType];
  const forms = options ?? [innerType ?? from ?? getter?.()].filter((one) => one !== undefined);
  return forms.flatMap((one) => partsOf(one, step));
}
