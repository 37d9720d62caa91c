import type { z } from 'zod';
import { Definition, type State } from '../definition.ts';
import { naming, type NamedKind } from './schema.ts';

type Schema = z.core.$ZodTypes;
type Step =
  | { take: 'key'; key: string }
  | { take: 'each' }
  /** At any depth, itself too: conditions and formulas stand within one another. */
  | { take: 'within' }
  /** Only where a key says one of these. */
  | { take: 'where'; key: string; says: readonly (string | number)[] };

/** A place of a definition where the house is named. */
export interface Place {
  names: NamedKind;
  steps: readonly Step[];
}

interface Leaf {
  schema: z.core.$ZodType;
  steps: readonly Step[];
}

/** Every place where a schema ends in a single value. */
export function leavesOfSchema(
  schema: z.core.$ZodType,
  steps: readonly Step[] = [],
  inside: readonly z.core.$ZodType[] = [],
): Leaf[] {
  const go = (inner: z.core.$ZodType, ...more: Step[]) => leavesOfSchema(inner, [...steps, ...more], inside);
  if (naming.has(schema)) return [{ schema, steps }];
  const { def } = (schema as Schema)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([key, inner]) => go(inner, { take: 'key', key }));
    case 'array':
      return go(def.element, { take: 'each' });
    case 'record':
      // Its keys are the form's; what they lead to is at any depth below.
      return go(def.valueType, { take: 'within' });
    case 'union':
      return def.options.flatMap((option) => go(option, ...saysOf(option as Schema)));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return go(def.innerType);
    case 'pipe':
      return go(def.out);
    case 'lazy':
      if (inside.includes(schema)) return [];
      return leavesOfSchema(def.getter(), [{ take: 'within' }], [...inside, schema]);
    default:
      return [{ schema, steps }];
  }
}

/** By what one form of a part is told from the others. */
function saysOf(option: Schema): Step[] {
  const { def } = option._zod;
  if (def.type !== 'object') return [];
  return Object.entries(def.shape).flatMap(([key, inner]): Step[] => {
    const { def: of } = (inner as Schema)._zod;
    const says = of.type === 'literal' ? of.values : of.type === 'enum' ? Object.values(of.entries) : [];
    const told = says.filter((one) => typeof one === 'string' || typeof one === 'number');
    return told.length > 0 ? [{ take: 'where', key, says: told }] : [];
  });
}

/** All places where definitions name somebody, or something by which people are found. */
export const places: readonly Place[] = unique(
  leavesOfSchema(Definition).flatMap(({ schema, steps }) => {
    const names = naming.get(schema)?.names;
    return names ? [{ names, steps }] : [];
  }),
);

function unique(all: readonly Place[]): Place[] {
  return [...new Map(all.map((place) => [`${place.names} ${pathOf(place)}`, place])).values()];
}

/** A place as a path of PostgreSQL. */
export function pathOf({ steps }: Place): string {
  const words = steps.map((step) => {
    switch (step.take) {
      case 'key':
        return `.${JSON.stringify(step.key)}`;
      case 'each':
        return '[*]';
      case 'within':
        return '.**';
      case 'where':
        return ` ? (${step.says.map((one) => `@.${JSON.stringify(step.key)} == ${JSON.stringify(one)}`).join(' || ')})`;
    }
  });
  return `$${words.join('')}`;
}

/** True if a place only names who may start a ticket, and in whose name, because starting decides nothing. */
export const onlyBegins = ({ steps: [first, second] }: Place): boolean =>
  first?.take === 'key' &&
  first.key === 'settings' &&
  second?.take === 'key' &&
  (second.key === 'limit' || second.key === 'start_for');

/** The values at a place of a definition, or of a part of a definition in the same position. */
export function standingAt({ steps }: Place, part: unknown): unknown[] {
  return steps.reduce<unknown[]>((found, step) => found.flatMap((value) => taken(step, value)), [part]);
}

function taken(step: Step, value: unknown): unknown[] {
  const inner: unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  switch (step.take) {
    case 'key':
      return isRecord(value) && Object.hasOwn(value, step.key) ? [value[step.key]] : [];
    case 'each':
      return Array.isArray(value) ? inner : [];
    case 'within':
      return [value, ...inner.flatMap((one) => taken(step, one))];
    case 'where':
      return isRecord(value) && step.says.includes(value[step.key] as string | number) ? [value] : [];
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Everything of one kind that a state names, without its conditions. */
export function namedInState(state: State, kind: NamedKind): unknown[] {
  const part = { states: [state] };
  return places.filter(({ names }) => names === kind).flatMap((place) => standingAt(place, part));
}
