import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { day, id } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

export const mostAtOnce = 50;
export const holdsWork = refusal(
  codes.refused,
  (alias: string, count: number) => `“${alias}”名下还有 ${count} 项事项，请先“移交事项”，再停用`,
  () => ({ holds: true }),
);
export const partsLeft = refusal(
  codes.refused,
  (alias: string, dept: string, part: string) =>
    `“${alias}”是“${dept}”的${part}，请先“移交事项”或在部门管理中更换，再调整主部门`,
  () => ({ holds: true }),
);
export const superAccount = refusal(
  codes.refused,
  (alias: string) => `“${alias}”的用户类型是超级管理员，不能批量修改，请在用户列表中单独修改`,
);
export const nothingToChange = refusal(codes.refused, (alias: string) => `“${alias}”已经是这样，无需修改`);
export const heldAlready = refusal(
  codes.refused,
  (alias: string, role: string) => `“${alias}”已持有角色“${role}”，到期日期不能直接修改，请先移除该角色再授予`,
);
export const notAllChanged = refusal(
  codes.refused,
  (why: string) => `没有修改任何人：${why}。请重新预览，去掉不能修改的人`,
);
export const unknownSource = refusal(codes.refused, () => '复制角色的来源用户不存在，或不在您的管理范围内，请重新选择');

export const overAlready = refusal(codes.refused, (day: string) => `到期日期 ${day} 已经过去，请填今天或以后的日期`);
export const lasting = refusal(codes.refused, (role: string) => `角色“${role}”不能设到期日期，请去掉该角色或到期日期`);

const roles = z.array(id).min(1, '请选择角色').max(20, '最多 20 个角色').meta({ title: '角色' });
const todo = <T extends string>(what: T) => z.literal(what, '请从列表中选择').meta({ title: '修改什么' });
const until = day.optional().meta({ title: '到期日期' });
/** The change for each of the chosen people. */
const BulkChange = z.discriminatedUnion('what', [
  z.object({ what: todo('move'), dept: id.meta({ title: '主部门' }) }),
  z.object({ what: todo('disable') }),
  z.object({ what: todo('give'), roles, until }),
  z.object({ what: todo('take'), roles }),
  /** Adds somebody else's roles to their own, each until its own last day or `until`, whichever comes first. */
  z.object({ what: todo('copy'), from: id.meta({ title: '来源用户' }), until }),
]);
export type BulkChange = z.output<typeof BulkChange>;
export const bulkTitles = {
  move: '调整主部门',
  disable: '停用',
  give: '授予角色',
  take: '移除角色',
  copy: '复制他人的角色',
} as const satisfies Record<BulkChange['what'], string>;

const ids = z.array(id).min(1, '请选择用户').max(mostAtOnce, `一次最多 ${mostAtOnce} 人`).meta({ title: '用户' });
const body = z.object({ ids, change: BulkChange.meta({ title: '修改' }) });

export const BulkRow = z.object({
  id: z.number().int(),
  username: z.string(),
  alias: z.string().meta(field('用户')),
  before: z.string().meta(field('现在')),
  after: z.string().meta(field('修改后')),
  /** Why nothing can be changed; empty if it can. */
  why: z.string().meta(field('原因')),
  /** True if they hold something that must be handed over first. */
  holds: z.boolean(),
});
export type BulkRow = z.output<typeof BulkRow>;

/** One change for many people. */
export const bulk = {
  preview: call({
    method: 'POST',
    path: '/api/accounts/users/bulk/preview/',
    access: grant('Update', 'system/user'),
    summary: '预览批量修改用户',
    body,
    reply: z.object({ value: z.array(BulkRow) }),
    // It changes nothing.
    quiet: true,
  }),
  apply: call({
    method: 'POST',
    path: '/api/accounts/users/bulk/',
    access: grant('Update', 'system/user'),
    summary: '批量修改用户',
    body,
    reply: z.object({ count: z.number().int() }),
    says: ({ count }: { count: number }) => `已修改 ${count} 人`,
    logsEach: true,
  }),
};
