import { sql } from 'drizzle-orm';
import type { Waits } from '#modules/platform/waits/service.ts';
import { messageTable, receiptTable } from '../tables.ts';
import { inBoxOf } from './boxes.ts';

const asked = sql`${messageTable.need_receipt} and ${messageTable.recall_at} is null`;

/** Notices in a person's box that require a confirmation not given yet. */
export const messageWaits: Waits = {
  key: 'message',
  page: 'msg',
  path: '/msg',
  title: '待确认通知',
  mine: async (_tx, viewer) => sql`
    select ${messageTable.id}, ${messageTable.title}, null::timestamptz, null::text, ${messageTable.publish_at}, ${messageTable.sender_id} from ${messageTable}
    join ${receiptTable} on ${receiptTable.msg_id} = ${messageTable.id}
    where ${asked} and ${inBoxOf(viewer)} and ${receiptTable.confirmed_at} is null`,
  everybodys: async () => sql`
    select ${receiptTable.user_id}, null::timestamptz from ${messageTable}
    join ${receiptTable} on ${receiptTable.msg_id} = ${messageTable.id}
    where ${asked} and ${messageTable.publish_at} <= now() and ${receiptTable.confirmed_at} is null
      and ${receiptTable.closed_at} is null and not ${receiptTable.is_deleted}`,
  linkOf: ({ id }) => `/msg?notice=${id}`,
};
