import { z } from 'zod';
import { call, grant, grantOverAll, type Exports, type GrantAccess, type Method, type SessionAccess } from './call.ts';
import { codes, refusal } from './refusal.ts';
import { actions, done, idParams, listOf, listQuery, partialOf, version } from './shapes.ts';

/** `held` lists in words the rows that use it, such as “3 个菜单”. */
export const nounInUse = refusal(
  codes.refused,
  (name: string, held: readonly string[]) => `“${name}”正被 ${held.join('、')}使用，请先在那里取消后再删除`,
);

type Shape = z.ZodRawShape;
// oxlint-disable-next-line typescript/ban-types -- a shape of no fields
type None = {};

interface Noun<I extends Shape, O extends Shape, R extends Shape, F extends Shape, S extends string> {
  /** `/api/accounts/button/` */
  prefix: string;
  /** The page whose codes allow reading, adding, changing and removing. */
  page: string;
  noun: string;
  input: I;
  /** Fields that only a new row takes; they cannot be changed later. */
  once?: O;
  /** Fields of a row besides its id, version and actions. */
  row: R;
  sort: readonly [S, ...S[]];
  /** Filters; one with the name of a column matches rows with that value. */
  filters?: F;
  /** The rows belong to the whole institution: changing them needs a scope over everything. */
  whole?: true;
  /** The access for reading, if it is not `Retrieve` of the page. */
  read?: SessionAccess | GrantAccess;
  edit?: Extract<Method, 'PUT' | 'PATCH'>;
  exports?: Exports;
}

/** Declares the calls of a plain noun: list, add, change and remove. A change keeps the fields that it does not send. */
export function nounCalls<
  const I extends Shape,
  const R extends Shape,
  const S extends string,
  const O extends Shape = None,
  F extends Shape = None,
>({ prefix, page, noun, input, once, row, sort, filters, read, edit = 'PUT', exports, whole }: Noun<I, O, R, F, S>) {
  const granted = whole ? grantOverAll : grant;
  const one = `${prefix}{id}/`;
  return {
    list: call({
      method: 'GET',
      path: prefix,
      access: read ?? grant('Retrieve', page),
      summary: `查看${noun}`,
      query: listQuery({ sort, filters: filters as F }),
      reply: listOf(z.object({ id: z.number().int(), version: z.number().int(), ...row, actions })),
      ...(exports ? { exports } : {}),
    }),
    add: call({
      method: 'POST',
      path: prefix,
      access: granted('Create', page),
      summary: `新增${noun}`,
      body: z.object({ ...input, ...(once as O) }),
      reply: done,
      message: `${noun}已新增`,
    }),
    change: call({
      method: edit,
      path: one,
      access: granted('Update', page),
      summary: `编辑${noun}`,
      params: idParams,
      body: z.object({ ...partialOf(input), version }),
      reply: done,
      message: `${noun}已保存`,
    }),
    remove: call({
      method: 'DELETE',
      path: one,
      access: granted('Delete', page),
      summary: `删除${noun}`,
      params: idParams,
      reply: done,
      message: `${noun}已删除`,
    }),
  };
}
