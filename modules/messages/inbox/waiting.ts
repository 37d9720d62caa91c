import { sql } from 'drizzle-orm';
import type { Waits } from '#modules/waits/service.ts';
import { messageTable, receiptTable } from '../tables.ts';
import { inBoxOf } from './boxes.ts';

const asked = sql`${messageTable.needReceipt} and ${messageTable.recalled} is null`;

/** Notices in a person's box that want a confirmation and have none of theirs. */
export const messageWaits: Waits = {
  page: 'msg',
  path: '/msg',
  title: '待确认通知',
  mine: async (_tx, viewer) => sql`
    select ${messageTable.id}, ${messageTable.title}, null::timestamptz, null::text from ${messageTable}
    join ${receiptTable} on ${receiptTable.messageId} = ${messageTable.id}
    where ${asked} and ${inBoxOf(viewer)} and ${receiptTable.confirmed} is null`,
  everybodys: async () => sql`
    select ${receiptTable.userId}, null::timestamptz from ${messageTable}
    join ${receiptTable} on ${receiptTable.messageId} = ${messageTable.id}
    where ${asked} and ${messageTable.published} <= now() and ${receiptTable.confirmed} is null
      and ${receiptTable.closed} is null and not ${receiptTable.deleted}`,
  linkOf: ({ id }) => `/msg?notice=${id}`,
};
