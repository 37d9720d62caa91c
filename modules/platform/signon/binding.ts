import { eq, inArray, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { endSessionsOf } from '#modules/platform/people/service/rights.ts';
import { accountNews } from '#modules/platform/messages/service/news.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { boundElsewhere } from './contract.ts';
import { ssoTable, wechatTable, type WechatIdentity } from './tables.ts';

/** Binds a WeChat identity to a person. A previous one is unbound: its sessions end, and the person is told. Refuses with `boundElsewhere`. */
export async function bind(tx: Db, userId: number, identity: WechatIdentity): Promise<void> {
  const [before] = await tx.select().from(wechatTable).where(eq(wechatTable.user_id, userId)).for('update');
  await tx
    .insert(wechatTable)
    .values({ user_id: userId, ...identity })
    .onConflictDoUpdate({ target: wechatTable.user_id, set: { ...identity, gmt_created: sql`now()` } })
    .catch(refuseOn('wechat_identity_openid', () => boundElsewhere()))
    .catch(refuseOn('wechat_identity_unionid', () => boundElsewhere()));
  const same = before && (before.openid === identity.openid || (before.unionid && before.unionid === identity.unionid));
  if (!before || same) return;
  await endSessionsOf(tx, userId);
  await announce(
    tx,
    accountNews.WECHAT,
    { id: userId },
    {
      module: 'signon',
      occasion: `bound:${identity.openid.slice(-24)}`,
      title: '您的账号换绑了微信',
      content: '您的账号已绑定另一个微信，之前的登录已全部退出。如非本人操作，请立即修改密码并联系管理员。',
      by: null,
    },
    [userId],
  );
}

/** Unbinds a person's WeChat account and tells the person. Returns whether there was one; the caller ends its sessions. */
export async function unbind(tx: Db, userId: number): Promise<boolean> {
  const [gone] = await tx.delete(wechatTable).where(eq(wechatTable.user_id, userId)).returning();
  if (!gone) return false;
  await announce(
    tx,
    accountNews.WECHAT,
    { id: userId },
    {
      module: 'signon',
      occasion: `unbound:${gone.openid.slice(-24)}`,
      title: '您的账号解除了微信绑定',
      content: '该微信不能再登录您的账号。如非本人操作，请立即修改密码并联系管理员。',
      by: null,
    },
    [userId],
  );
  return true;
}

/** The time since which a person's account is bound to WeChat; null if it is not. */
export async function boundSince(tx: Db, userId: number): Promise<string | null> {
  const [row] = await tx
    .select({ since: wechatTable.gmt_created })
    .from(wechatTable)
    .where(eq(wechatTable.user_id, userId));
  return row?.since ?? null;
}

/** Those of the people who are bound to WeChat, and those known to a single sign-on provider. */
export async function boundAmong(
  tx: Db,
  ids: readonly number[],
): Promise<Record<'wechat' | 'sso', ReadonlySet<number>>> {
  const of = (way: 'wechat' | 'sso', table: typeof wechatTable | typeof ssoTable) =>
    tx
      .select({ way: sql<typeof way>`${way}::text`.as('way'), id: table.user_id })
      .from(table)
      .where(inArray(table.user_id, [...ids]));
  const rows = ids.length === 0 ? [] : await unionAll(of('wechat', wechatTable), of('sso', ssoTable));
  const among = (way: string) => new Set(rows.flatMap((row) => (row.way === way ? [row.id] : [])));
  return { wechat: among('wechat'), sso: among('sso') };
}
