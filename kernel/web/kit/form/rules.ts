import { core } from 'zod';
import { wording } from '#kernel/contract/words/wording.ts';
import { unfilled, type FieldError } from '#kernel/contract/refusal.ts';

core.config({ localeError: wording });
type Schema = core.$ZodType;

/** The rules of a field, from its schema. */
export interface FieldRule {
  required: boolean;
  type: 'text' | 'number' | 'money' | 'flag' | 'choice' | 'list' | 'date' | 'moment' | 'other';
  /** The maximum number of characters, or the largest number. */
  max?: number;
  min?: number;
  integer?: boolean;
  choices?: string[];
}

interface Inside {
  schema: Schema;
  optional: boolean;
}

/** Removes optional, nullable, default and pipe around a schema. */
function inside(schema: Schema, optional = false): Inside {
  const def = schema._zod.def as { type: string; innerType?: Schema; in?: Schema; options?: Schema[] };
  if (['optional', 'nullable', 'default', 'prefault'].includes(def.type) && def.innerType)
    return inside(def.innerType, true);
  if (['readonly', 'catch', 'nonoptional'].includes(def.type) && def.innerType) return inside(def.innerType, optional);
  if (def.type === 'pipe' && def.in) return inside(def.in, optional);
  if (def.type === 'union' && def.options) {
    const flag = def.options.find((option) => (option._zod.def as { type: string }).type === 'boolean');
    if (flag) return { schema: flag, optional };
    const rest = def.options.filter((option) => (option._zod.def as { type: string }).type !== 'literal');
    if (rest.length === 1 && rest[0]) return inside(rest[0], true);
  }
  return { schema, optional };
}

interface Shaped {
  type: string;
  shape?: Record<string, Schema>;
  options?: Schema[];
  discriminator?: string;
}

/** The fields of an object schema, or of the union member that matches the values sent with it; {} for any other schema. */
export function shapeOf(schema: Schema | undefined, sent: Record<string, unknown> = {}): Record<string, Schema> {
  if (!schema) return {};
  const { type, shape, options = [], discriminator } = inside(schema).schema._zod.def as Shaped;
  if (type === 'object') return shape ?? {};
  if (discriminator === undefined) return {};
  const meant = (value: unknown) => value === sent[discriminator];
  return shapeOf(options.find((one) => [...(shapeOf(one)[discriminator]?._zod.values ?? [])].some(meant)));
}

/** The schema of a list's elements, however the list is wrapped; undefined for any other schema. */
export const elementOf = (schema: Schema | undefined): Schema | undefined =>
  schema && (inside(schema).schema._zod.def as { element?: Schema }).element;

/** The row schema of a list, and the maximum number of rows. */
export const rowsOf = (schema: Schema): { row: Record<string, Schema>; max: number } => ({
  row: shapeOf(elementOf(schema)),
  max: limitsOf(inside(schema).schema).max ?? 50,
});

interface Limits {
  max?: number;
  min?: number;
  integer?: boolean;
}

/** The limits from a schema's checks. */
function limitsOf(schema: Schema): Limits {
  type Check = {
    check: string;
    maximum?: number;
    minimum?: number;
    value?: number;
    inclusive?: boolean;
    format?: string;
  };
  const def = schema._zod.def as { checks?: { _zod: { def: unknown } }[]; format?: string };
  const limits: Limits = { integer: def.format?.includes('int') };
  for (const one of def.checks ?? []) {
    const check = one._zod.def as Check;
    if (check.check === 'max_length') limits.max = check.maximum;
    if (check.check === 'min_length') limits.min = check.minimum;
    if (check.check === 'number_format' && check.format?.includes('int')) limits.integer = true;
    const whole = check.inclusive ? 0 : 1;
    if (check.check === 'less_than') limits.max = finite(Number(check.value) - whole);
    if (check.check === 'greater_than') limits.min = finite(Number(check.value) + whole);
  }
  return limits;
}

/** The required mark, limits and kind of a field, from its schema. */
export function ruleOf(schema: Schema): FieldRule {
  const { schema: bare, optional } = inside(schema);
  const def = bare._zod.def as { type: string; format?: string; entries?: Record<string, string> };
  const limits = limitsOf(bare);
  const required = !optional;
  switch (def.type) {
    case 'string':
      if (def.format === 'date') return { required, type: 'date' };
      if (core.globalRegistry.get(bare)?.['kind'] === 'moment') return { required, type: 'moment' };
      return { required, type: 'text', ...limits };
    case 'number':
      if (core.globalRegistry.get(bare)?.['kind'] === 'money') return { required, type: 'money', ...limits };
      return { required, type: 'number', ...limits };
    case 'int':
      return { required, type: 'number', ...limits };
    case 'boolean':
      return { required: false, type: 'flag' };
    case 'enum':
      return { required, type: 'choice', choices: Object.values(def.entries ?? {}).filter((v) => v !== '') };
    case 'array':
      return { required: required && (limits.min ?? 0) > 0, type: 'list', ...limits };
    default:
      return { required, type: 'other' };
  }
}

function finite(value: number): number | undefined {
  return Math.abs(value) < 2_147_483_647 ? value : undefined;
}

type Parsed = { ok: true; value: unknown } | { ok: false; errors: FieldError[] };

/** Checks values against a body schema; returns one error for each field, in words for people. */
export function check(schema: Schema, values: unknown, labelOf: (field: string) => string): Parsed {
  const result = core.safeParse(schema, values);
  if (result.success) return { ok: true, value: result.data };
  const errors = new Map<string, FieldError>();
  for (const issue of result.error.issues) {
    const field = String(issue.path[0] ?? '');
    if (errors.has(field)) continue;
    const value = (values as Record<string, unknown> | null)?.[field];
    errors.set(field, { field, label: labelOf(field), msg: sentence(issue, value) });
  }
  return { ok: false, errors: [...errors.values()] };
}

function sentence(issue: core.$ZodIssue, value: unknown): string {
  if (issue.message !== wording(issue)) return issue.message;
  const empty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return empty ? unfilled : issue.message;
}
