import { z } from 'zod';
import { call, grant, grantOverAll, signedIn } from './call.ts';
import { done, version } from './shapes.ts';

/** A module's own settings: one row, of which what was never set stands by its default. */
export interface Rules<S extends z.ZodRawShape = z.ZodRawShape> {
  /** Of the row, at most twenty characters. */
  key: string;
  title: string;
  shape: S;
  defaults: z.output<z.ZodObject<S>>;
}
export type RuleValue<R extends Rules> = R['defaults'];

/** What is to be changed of rules, the rest stays. What they do not have is refused: it would be said to be saved. */
const inputOf = <const S extends z.ZodRawShape>(shape: S) => z.strictObject(shape).partial().extend({ version });

/** Declares rules. */
export function rules<const S extends z.ZodRawShape>(declared: Rules<S>) {
  return { ...declared, input: inputOf(declared.shape) };
}

/** A change of rules that comes in the shape in which they are read, `{ value: {…}, version }`. */
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
  /** Whose `Update` changes them, with a scope over everything, and whose `Retrieve` reads them. */
  page: string;
  /** Read on another page, or by everybody who is signed in. */
  readBy?: string | 'everybody';
}

/** The two calls of rules. `version` of the answer is sent back with a change. */
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
