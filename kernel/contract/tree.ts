import { z } from 'zod';
import { call, grantOverAll, signedIn, type GrantAccess } from './call.ts';
import { codes, refusal } from './refusal.ts';
import { actions, done, id, idParams, partialOf, version } from './shapes.ts';

export const nodeTaken = refusal(
  codes.refused,
  (noun: string, name: string) => `同一上级下已有${noun}“${name}”，请换个名称`,
);
export const nodeCodeTaken = refusal(
  codes.refused,
  (noun: string, code: string) => `${noun}编码“${code}”已被使用，请换一个`,
);
export const treeRing = refusal(
  codes.refused,
  (noun: string, name: string) => `“${name}”是本${noun}或在本${noun}之下，不能作为上级${noun}`,
);
export const treeTooDeep = refusal(
  codes.refused,
  (noun: string, levels: number) => `${noun}最多 ${levels} 级，请选择更高一级的上级${noun}`,
);
/** `held` says in words what the node contains, such as “2 份文件”; `instead` says what to do if that cannot be moved. */
export const nodeInUse = refusal(
  codes.refused,
  (name: string, held: readonly string[], instead = '') =>
    `“${name}”下还有 ${held.join('、')}，请先移走后再删除${instead && `；${instead}`}`,
);
export const neighbourGone = refusal(codes.refused, () => '目标位置刚被他人改动，请按最新的顺序重新移动');

/** The parent of a node; 0 or null is the top level. */
export const parentField = (noun: string) =>
  z.coerce
    .number()
    .int()
    .min(0)
    .max(2_147_483_647)
    .nullable()
    .optional()
    .meta({ title: `上级${noun}` });
export const orderField = z.coerce.number().int().min(0).max(1_000_000).optional().meta({ title: '排序' });

/** The fields of every node of a tree; `parent` is 0 at the top. */
export const nodeShape = {
  id: z.number().int(),
  name: z.string(),
  parent: z.number().int(),
  order_id: z.number().int(),
  version: z.number().int(),
  actions,
};

export type TreeNode<R> = R & { children: TreeNode<R>[] };

/** The reply of a tree: its nodes in order, each with its children. */
export function nested<R extends z.ZodObject>(row: R): z.ZodType<TreeNode<z.output<R>>> {
  const node = row.extend({
    get children(): z.ZodArray<z.ZodType> {
      return z.array(node);
    },
  }) as z.ZodType;
  return node as z.ZodType<TreeNode<z.output<R>>>;
}

const Move = z.object({
  parent: parentField(''),
  /** The sibling that the node is placed before; without it the node becomes the last of its level. */
  before: id.nullable().optional().meta({ title: '放在哪一项之前' }),
  version,
});
export type Move = z.output<typeof Move>;

interface Moving {
  /** `/api/folder/category/` */
  prefix: string;
  noun: string;
  access: GrantAccess;
}

/** Moves a node under another parent, or to another position among its siblings. */
export const moveCall = ({ prefix, noun, access }: Moving) =>
  call({
    method: 'PUT',
    path: `${prefix}{id}/move/`,
    access,
    summary: `移动${noun}`,
    params: idParams,
    body: Move.extend({ parent: parentField(noun) }),
    reply: done,
    message: `${noun}已移动`,
  });

interface Tree<I extends z.ZodRawShape, R extends z.ZodRawShape, Q extends z.ZodRawShape> extends Omit<
  Moving,
  'access'
> {
  page: string;
  /** Fields of a node besides its position. */
  input: I;
  /** Fields of the answer besides `nodeShape`. */
  row: R;
  query?: Q;
}

/**
 * Declares the calls of a category tree. Everybody signed in reads it as far as the module allows; adding, changing, moving and removing need the
 * page's codes with a scope over everything, because a tree belongs to the whole institution. A change keeps the fields that it does not send.
 */
export function treeCalls<
  const I extends z.ZodRawShape & { name: z.ZodType<string> },
  const R extends z.ZodRawShape,
  const Q extends z.ZodRawShape = Record<never, never>,
>({ prefix, page, noun, input, row, query }: Tree<I, R, Q>) {
  const body = z.object({ ...input, parent: parentField(noun), order_id: orderField });
  const saved = {
    reply: done,
    message: `${noun}已保存`,
  };
  return {
    list: call({
      method: 'GET',
      path: prefix,
      access: signedIn,
      summary: `查看${noun}`,
      query: z.object({ ...query } as Q),
      reply: z.array(nested(z.object({ ...nodeShape, ...row }))),
      fresh: true,
    }),
    add: call({
      method: 'POST',
      path: prefix,
      access: grantOverAll('Create', page),
      summary: `新增${noun}`,
      body,
      ...saved,
    }),
    change: call({
      method: 'PUT',
      path: `${prefix}{id}/`,
      access: grantOverAll('Update', page),
      summary: `编辑${noun}`,
      params: idParams,
      body: z.object({ ...partialOf(body.shape), version }),
      ...saved,
    }),
    move: moveCall({ prefix, noun, access: grantOverAll('Update', page) }),
    remove: call({
      method: 'DELETE',
      path: `${prefix}{id}/`,
      access: grantOverAll('Delete', page),
      summary: `删除${noun}`,
      params: idParams,
      reply: done,
      message: `${noun}已删除`,
    }),
  };
}
