import { sql } from 'drizzle-orm';
import { figureInAbout, type Waits } from '#modules/platform/waits/service.ts';
import { ticketViewerFor } from '#modules/workflow/tickets/service.ts';
import { distTable } from './tables.ts';
import { visibleTo } from './visibility.ts';

const unread = 0;

/** Documents distributed to a person that they have not read, or not signed for where that is required. */
export const distributionWaits: Waits = {
  key: 'dist',
  page: 'document/dist',
  path: '/document/dist?tab=unread',
  title: '待阅公文',
  async mine(tx, viewer) {
    const received = visibleTo(tx, await ticketViewerFor(tx, viewer, undefined), 'received', unread);
    return sql`select ${distTable.id}, (select title from document where id = ${distTable.document_id}), ${distTable.deadline},
      (select nullif(doc_number, '') from document where id = ${distTable.document_id}), ${distTable.gmt_created}, ${distTable.sender_id} from ${distTable} where ${received}`;
  },
  everybodys: async () => sql`
    select c.user_id, d.deadline from document_dist_user c join document_dist d on d.id = c.dist_id
    where c.state = ${unread} and d.recalled_at is null`,
  whatOf: figureInAbout,
  notesOpening: true,
  linkOf: ({ id }) => `/document/dist/detail/${id}`,
};
