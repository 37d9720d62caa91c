import { and, sql } from 'drizzle-orm';
import { everybodyIn } from '#modules/platform/people/service/audience.ts';
import type { Waits } from '#modules/platform/waits/service.ts';
import { documentNoticeTable } from './tables.ts';
import { alive, meantFor, stateOf } from './visibility.ts';

const {
  id,
  audience,
  title,
  need_receipt: needReceipt,
  publish_at: publishedAt,
  creator_id: creator,
} = documentNoticeTable;
const asked = sql`${needReceipt} and ${alive} and ${stateOf} = 'current'`;

/** Notices that require a receipt which the person has not given yet. */
export const noticeWaits: Waits = {
  key: 'notice',
  page: 'document/notice',
  path: '/document/notice?tab=confirm',
  title: '待确认公文通知',
  mine: async (_tx, viewer) => sql`
    select ${id}, ${title}, null::timestamptz, null::text, ${publishedAt}, ${creator} from ${documentNoticeTable}
    where ${and(asked, meantFor(viewer))} and not exists (
      select from document_notice_read r where r.notice_id = ${id} and r.user_id = ${viewer.id})`,
  everybodys: async () => sql`
    select a.user_id, null::timestamptz
    from (${everybodyIn(sql`select ${id}, ${audience} from ${documentNoticeTable} where ${asked}`)}) a
    where not exists (select from document_notice_read r where r.notice_id = a.id and r.user_id = a.user_id)`,
  linkOf: (row) => `/document/notice/detail/${row.id}`,
};
