import { z } from 'zod';
import { call, grant, grantOverAll, signedIn } from './call.ts';
import { done, version } from './shapes.ts';

/** A module's own settings, stored in one row; a field that was never set has its default. */
export interface Rules<S extends z.ZodRawShape = z.ZodRawShape> {
  /** The key of the row, at most twenty characters. */
  key: string;
  title: string;
  shape: S;
  defaults: z.output<z.ZodObject<S>>;
}
export type RuleValue<R extends Rules> = R['defaults'];

/** The fields of a change; others keep their values. Unknown fields are refused, because they would otherwise seem to be saved. */
const inputOf = <const S extends z.ZodRawShape>(shape: S) => z.strictObject(shape).partial().extend({ version });

/** Declares rules. */
export function rules<const S extends z.ZodRawShape>(declared: Rules<S>) {
  return { ...declared, input: inputOf(declared.shape) };
}

/** Accepts a change in the shape in which rules are read, `{ value: {…}, version }`. */
export function changeAsRead(sent: unknown): unknown {
  if (!isFields(sent) || !isFields(sent['value'])) return sent;
  const { value, ...beside } = sent;
  return { ...(value as object), ...beside };
}
export const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Called {
  /** `/api/contract/`: the calls are `<prefix>rule/`. */
  prefix: string;
  /** The page whose `Update`, with a scope over everything, allows changes, and whose `Retrieve` allows reading. */
  page: string;
  /** Another page whose readers may read the rules, or everybody who is signed in. */
  readBy?: string | 'everybody';
}

/** Returns the two calls of rules. A change sends back the `version` of the answer. */
export function ruleCalls<const S extends z.ZodRawShape>(of: Rules<S>, { prefix, page, readBy = page }: Called) {
  return {
    rule: call({
      method: 'GET',
      path: `${prefix}rule/`,
      access: readBy === 'everybody' ? signedIn : grant('Retrieve', readBy),
      summary: `查看${of.title}`,
      reply: z.object({ value: z.object(of.shape), version: z.number().int() }),
      fresh: true,
    }),
    saveRule: call({
      method: 'PUT',
      path: `${prefix}rule/`,
      access: grantOverAll('Update', page),
      summary: `修改${of.title}`,
      body: inputOf(of.shape),
      bodyOf: changeAsRead,
      reply: done,
      message: `${of.title}已保存`,
    }),
  };
}
