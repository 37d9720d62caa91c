import { sql } from 'drizzle-orm';
import type { Waits } from '#modules/waits/service.ts';
import { meantFor, paperViewerOf, peopleOf } from './categories/visibility.ts';
import { paperStatus } from './contract/rows.ts';
import { paperTable } from './tables.ts';

const { id, title, must_read: mustRead, status } = paperTable;
const asked = sql`${mustRead} and ${status} = ${paperStatus.inForce}`;
const endOf = sql`read_deadline + time '23:59:59'`;

/** Papers in force that a person must read and has not confirmed. */
export const paperWaits: Waits = {
  page: 'folder/index',
  path: '/folder/index',
  title: '必读文件',
  async mine(tx, viewer) {
    const reader = await paperViewerOf(tx, viewer);
    return sql`select ${id}, ${title}, (${endOf})::timestamptz, null::text from ${paperTable}
      where ${asked} and ${meantFor(reader)} and not exists (select from folder_read r where r.paper_id = ${id}
        and r.user_id = ${viewer.id} and r.version_no = ${paperTable.version_no} and r.confirmed_at is not null)`;
  },
  async everybodys(tx) {
    const papers = await tx.select({ id }).from(paperTable).where(asked);
    return sql`select a.person, (${endOf})::timestamptz from (${peopleOf(papers.map((paper) => paper.id))}) a
      join folder_paper p on p.id = a.paper_id where not exists (select from folder_read r where r.paper_id = a.paper_id
        and r.user_id = a.person and r.version_no = p.version_no and r.confirmed_at is not null)`;
  },
  linkOf: (row) => `/folder/detail/${row.id}`,
};
