import { eq } from 'drizzle-orm';
import { refuseOn, type Db } from '#kernel/server/db.ts';
import { tell } from '#modules/messages/service.ts';
import { endSessionsOf } from '#modules/people/service/rights.ts';
import { boundElsewhere } from './contract.ts';
import { wechatTable, type WechatIdentity } from './tables.ts';

/**
 * Binds a WeChat identity to a person. Another one that was bound before is let go: whatever it had opened ends, and the
 * person is told. Refuses with `boundElsewhere`.
 */
export async function bind(tx: Db, userId: number, identity: WechatIdentity): Promise<void> {
  const [before] = await tx.select().from(wechatTable).where(eq(wechatTable.userId, userId)).for('update');
  await tx
    .insert(wechatTable)
    .values({ userId, ...identity })
    .onConflictDoUpdate({ target: wechatTable.userId, set: { ...identity } })
    .catch(refuseOn('wechat_identity_openid', () => boundElsewhere()))
    .catch(refuseOn('wechat_identity_unionid', () => boundElsewhere()));
  const same = before && (before.openid === identity.openid || (before.unionid && before.unionid === identity.unionid));
  if (!before || same) return;
  await endSessionsOf(tx, userId);
  const news = {
    title: '您的账号换绑了微信',
    content: '您的账号已绑定另一个微信，之前的登录已全部退出。如非本人操作，请立即修改密码并联系管理员。',
    type: 1,
    level: 1,
    module: 'signon',
    objectId: userId,
    event: `bound:${identity.openid.slice(-24)}`,
    webPath: '/user/profile',
  };
  await tell(tx, news, [userId]);
}
