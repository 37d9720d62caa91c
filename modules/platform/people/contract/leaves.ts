import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { id, idParams, name, timestamp } from '#kernel/contract/shapes.ts';

export const noReceiver = refusal(codes.refused, (name: string) => `用户“${name}”不存在或已停用，请重新选择接收人`);

export const notToOneself = refusal(codes.forbidden, () => '不能把他人的事项移交给自己，请由其他管理员操作');

const int = z.number().int();

/** Something a person holds, without its content: the person handing it over may not be allowed to read it. */
export const Held = z.object({ id: int, title: z.string(), note: z.string(), at: timestamp.nullable() });
export type Held = z.output<typeof Held>;

export const HeldKind = z.object({
  key: z.string(),
  title: z.string(),
  count: int,
  /** The first hundred. */
  rows: z.array(Held),
});
export type HeldKind = z.output<typeof HeldKind>;

const path = '/api/accounts/users/{id}/leaves/';

export const leaving = {
  open: call({
    method: 'GET',
    path,
    access: grant('Update', 'system/user'),
    summary: '用户待移交的事项',
    params: idParams,
    reply: z.object({ total: int, value: z.array(HeldKind) }),
    fresh: true,
  }),
  handOver: call({
    method: 'POST',
    path,
    access: grant('Update', 'system/user'),
    summary: '移交离岗人员的事项',
    params: idParams,
    body: z.object({
      target_username: name(50).meta({ title: '接收人' }),
      /** All kinds by default. */
      kinds: z
        .array(z.string().max(30))
        .min(1, '请至少选择一类')
        .max(30, '最多 30 类')
        .optional()
        .meta({ title: '类别' }),
      /** For one kind: all of it by default. */
      ids: z.array(id).max(200, '一次最多 200 项').default([]).meta({ title: '事项' }),
    }),
    reply: z.object({
      moved: int,
      /** The number of things that nobody has from now on. */
      ended: int,
      /** Things that stay, with the reason. */
      kept: z.array(z.object({ key: z.string(), id: int, title: z.string(), msg: z.string() })),
    }),
    says: ({ moved, ended, kept }: { moved: number; ended: number; kept: readonly unknown[] }) =>
      [
        moved > 0 ? `已移交 ${moved} 项` : '没有移交任何事项',
        ...(ended > 0 ? [`${ended} 项已结束`] : []),
        ...(kept.length > 0 ? [`${kept.length} 项未能移交`] : []),
      ].join('，'),
  }),
};
