import type { Databases } from '#kernel/server/db/db.ts';
import type { Product } from '#kernel/server/product.ts';
import type { Store } from '#kernel/server/files/storage.ts';
import { verifyLogs } from '#modules/platform/audit/chain/verify.ts';
import { logName } from '#modules/platform/audit/log-names.ts';
import { verifyDocuments, type VerifiedDocuments } from '#modules/office/documents/verify/verify.ts';
import { filesOfContents, verifyFiles } from '#modules/platform/files/service.ts';
import { verifyTicketLogs } from '#modules/workflow/tickets/store/chain.ts';

/** The first break in the chains of the operation log, of the tickets' logs and of signed documents, as a sentence; null if all are intact. */
export async function firstBreak(databases: Pick<Databases, 'snapshot'>): Promise<string | null> {
  const logs = await databases.snapshot(verifyLogs);
  if (logs.broken) return inLog(logs.broken);
  const tickets = await databases.snapshot(verifyTicketLogs);
  if (tickets.broken) return inTicket(tickets.broken);
  const documents = await databases.snapshot(verifyDocuments);
  return documents.broken && inDocument(documents.broken);
}

const inLog = ({ id, seal, why }: NonNullable<Awaited<ReturnType<typeof verifyLogs>>['broken']>) =>
  `操作日志链上第 ${seal} 条${id === null ? '' : `（记录 ${id}）`}，${why}`;
const inTicket = ({ ticket_id, seq }: { ticket_id: number; seq: number }) =>
  `工单 ${ticket_id} 的第 ${seq} 条记录，内容或顺序与写入时不同`;

const inDocument = ({ id, title, number, why }: NonNullable<VerifiedDocuments['broken']>) =>
  `公文 ${id}${number && `（${number}）`}《${title}》，${why}`;

/** `files` means that only contents of files are missing or damaged. */
export type Verified = 'whole' | 'files' | 'broken';

/** Verifies the chains of the operation log, of the tickets' logs and of signed documents, reads every file, and prints the findings. */
export async function verifyOffice(
  databases: Databases,
  store: Store,
  logNames: Product['logNames'],
): Promise<Verified> {
  const found = await databases.snapshot(verifyLogs);
  console.log(`操作日志：已核对 ${found.rows} 条，其中已按期清除 ${found.removed} 条，待封存 ${found.unsealed} 条`);
  if (found.broken) {
    console.error(`第一处断点：${inLog(found.broken)}`);
    return 'broken';
  }
  const tickets = await databases.snapshot(verifyTicketLogs);
  console.log(`工单流转记录：已核对 ${tickets.rows} 条，其中未封存 ${tickets.unsealed} 条`);
  if (tickets.broken) {
    console.error(`第一处断点：${inTicket(tickets.broken)}`);
    return 'broken';
  }
  const documents = await databases.snapshot(verifyDocuments);
  console.log(`签发或已编号的公文：已核对 ${documents.documents} 件`);
  if (documents.broken) {
    console.error(`第一处断点：${inDocument(documents.broken)}`);
    return 'broken';
  }
  const files = await verifyFiles(databases.fresh, store);
  console.log(`文件：已核对 ${files.contents} 份内容`);
  if (files.broken.length > 0) {
    console.error(`${files.broken.length} 份内容缺失或与写入时不同，它们是：`);
    for (const { name, module, record } of await filesOfContents(databases.fresh, files.broken))
      console.error(
        `  ${logName(logNames, module)}${record === null ? '（没有用在任何记录里）' : ` ${record}`}：${name}`,
      );
    return 'files';
  }
  console.log(`完好。链首 ${found.head.seal}:${found.head.hash}`);
  return 'whole';
}
