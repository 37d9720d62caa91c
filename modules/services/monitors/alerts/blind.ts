import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { userType } from '#modules/platform/people/contract/codes.ts';
import { monitorNews } from './news.ts';

/** Notifies those in charge of monitoring that a node has lost its network and suspends its judgements. */
export async function tellOfBlindness(tx: Db, node: string): Promise<void> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    select u.id from app_user u where u.is_active and not u.is_deleted and (u.type_id = ${inSql(userType.superAdmin)}
      or exists (select from held_role h join role r on r.id = h.role_id where h.user_id = u.id and r.code = 'customer_manager')) order by u.id limit 50`);
  const said = {
    title: '监测节点网络异常',
    content: `节点 ${node} 连不上任何对照地址，已暂停判断：不会因此误报项目异常。请检查服务器的网络。`,
    occasion: node.slice(-32),
    by: null,
  };
  await announce(
    tx,
    monitorNews.MONITOR_BLIND,
    { id: 0 },
    said,
    rows.map((row) => row.id),
  );
}
