import { z } from 'zod';
import { call, grant, signedIn } from './call.ts';
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

/** Declares rules; `input` takes what is to be changed of them, the rest stays. */
export function rules<const S extends z.ZodRawShape>(declared: Rules<S>) {
  return { ...declared, input: z.object(declared.shape).partial().extend({ version }) };
}

interface Called {
  /** `/api/contract/`: the calls are `<prefix>rule/`. */
  prefix: string;
  /** Whose `Update` changes them, and whose `Retrieve` reads them. */
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
      access: grant('Update', page),
      summary: `修改${of.title}`,
      body: z.object(of.shape).partial().extend({ version }),
      reply: done,
      message: `${of.title}已保存`,
    }),
  };
}
