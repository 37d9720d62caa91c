import { sql, type SQL } from 'drizzle-orm';
import type { Client } from '#apps/server/testing.ts';
import { documentRecords } from '../contract/records.ts';
import { openSchool } from './school.ts';

/** A school whose head can receive text messages, with the handling records of its documents. */
export async function openReminding() {
  const school = await openSchool();
  const run = (statement: SQL) => school.office.services.databases.write((tx) => tx.execute(statement));
  await run(sql`update app_user set phone = '13800000001' where id = ${school.head.userId}`);
  const records = async (who: Client, document_id: number) =>
    (await who.get(documentRecords.ticketLog, { query: { document_id, per_page: 100 } })).value;
  return { school, run, records, close: () => school.office.close() };
}
