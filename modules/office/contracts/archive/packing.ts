import { and, asc, eq, getTableColumns, isNull } from 'drizzle-orm';
import { momentOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { selectOf } from '#kernel/server/generic.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Services } from '#kernel/server/services.ts';
import {
  filesById,
  giveMade,
  keepMadeStream,
  packed,
  plainName,
  type FileStore,
  type Member,
} from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { contractPdf, processingSheetPdf } from '#modules/platform/typesetting/service.ts';
import { registrations, stage, stageName, type Registration } from '../contract/codes.ts';
import { sidesOf } from '../parties/sides.ts';
import { contractEntryTable, contractEventTable, contractTable } from '../tables.ts';
import { paperInputOf } from '../texts/final.ts';
import { frozenText } from '../texts/freezing.ts';
import { sheetInputOf } from '../texts/sheet.ts';

export const packing = 'pack archived contract';

/** Collects the contents of a contract's package; null if it is not to be packed. */
async function gather(tx: Db, id: number) {
  const [row] = await tx.select().from(contractTable).where(eq(contractTable.id, id));
  if (row?.stage !== stage.archived || row.packed_file !== null) return null;
  const of = <T extends typeof contractEntryTable | typeof contractEventTable>(table: T) =>
    selectOf<T['$inferSelect']>(tx, getTableColumns(table), table)
      .where(eq(table.contract_id, id))
      .orderBy(asc(table.id));
  const [entries, events] = [await of(contractEntryTable), await of(contractEventTable)];
  const sides = await sidesOf(tx, id);
  const text = await frozenText(tx, row);
  const held = [text?.file_id, row.signed_file, row.authority_file, ...row.attachments];
  const files = await filesById(
    tx,
    [...held, ...[...entries, ...events].flatMap((one) => one.files)].flatMap((one) => one ?? []),
  );
  const people = await peopleById(
    tx,
    [row.undertaker, ...[...entries, ...events].map((one) => one.by)].flatMap((one) => one ?? []),
  );
  const nameOf = (person: number | null) => (person === null ? '系统' : (people.get(person)?.alias ?? ''));
  return { row, entries, events, sides, text, files, nameOf };
}
type Gathered = NonNullable<Awaited<ReturnType<typeof gather>>>;

/** The metadata of a package, with the field names that archivists use. */
const metadataOf = (
  { row, entries, events, sides, text, nameOf }: Gathered,
  members: readonly Member[],
  version: string,
) => ({
  软件: { 名称: '工单系统', 版本: version },
  合同: {
    合同编号: row.contract_no,
    合同名称: row.name,
    我方: row.our_party,
    相对方: sides.map((side) => ({ 名称: side.name, 角色: side.role, 统一社会信用代码: side.credit_code })),
    金额: row.amount,
    开始日期: row.start_date,
    结束日期: row.term_end,
    签订日期: row.sign_date,
    承办人: nameOf(row.undertaker),
    '正文校验值（SHA-256）': text?.sha256 ?? '',
  },
  归档: {
    档号: row.archive_no,
    保管期限: row.retention,
    存放位置: row.archive_location,
    归档时间: row.archived_at,
  },
  登记记录: events.map((event) => ({
    登记: registrations[event.type as Registration] ?? event.type,
    自阶段: stageName(event.from_stage as 10),
    至阶段: stageName(event.to_stage as 10),
    原因: event.reason,
    变更: event.changes,
    登记人: nameOf(event.by),
    时间: event.at,
  })),
  履约登记: entries.map((entry) => ({
    日期: entry.date,
    金额: entry.amount,
    凭证号: entry.voucher_no,
    发票号: entry.invoice_no,
    说明: entry.remark,
    冲销: entry.reverses_id !== null,
    登记人: nameOf(entry.by),
    时间: entry.at,
  })),
  文件: members.map(({ path, size, sha256 }) => ({ 路径: path, 字节: size, 'SHA-256': sha256 })),
});

function contentOf(
  gathered: Gathered,
  fileStore: FileStore,
  version: string,
  made: { text: Buffer | null; sheet: Buffer | null },
) {
  const { row, entries, events, text, files } = gathered;
  return packed(fileStore, {
    mtime: momentOf(row.archived_at!),
    fill({ addBytes, addFile }) {
      const given = new Set<number>();
      const add = (folder: string, ids: readonly (number | null | undefined)[]) => {
        for (const id of ids) {
          const file = files.get(id ?? 0);
          if (!file || given.has(file.id)) continue;
          given.add(file.id);
          addFile(`${folder}/${String(given.size).padStart(2, '0')}-${plainName(file.name)}`, file);
        }
      };
      if (made.text) addBytes('正文/合同文本.pdf', made.text);
      add('正文', [text?.file_id]);
      add('签订', [row.signed_file, row.authority_file]);
      if (made.sheet) addBytes('审批单.pdf', made.sheet);
      add(
        '凭证',
        entries.flatMap((entry) => entry.files),
      );
      add(
        '登记',
        events.flatMap((event) => event.files),
      );
      add('附件', row.attachments);
    },
    about: (members) => metadataOf(gathered, members, version),
  });
}

/** Makes the package of an archived contract: its text, the signed scan, the approval sheet, vouchers and metadata. Idempotent. */
export function packingTask({
  databases,
  fileStore,
  version,
}: Pick<Services, 'databases' | 'version'> & { fileStore: FileStore }): Task<{ id: number }> {
  return {
    name: packing,
    title: '制作合同归档包',
    async run({ id }) {
      const { fresh } = databases;
      const gathered = await gather(fresh, id);
      if (!gathered) return;
      const { row, text } = gathered;
      const words = text?.html ? await paperInputOf(fresh, row, { html: text.html, watermark: '' }) : null;
      const made = {
        text: words && (await contractPdf(words, 'house')),
        sheet:
          row.ticket_id === null ? null : await processingSheetPdf(await sheetInputOf(fresh, fileStore, row), 'house'),
      };
      const content = contentOf(gathered, fileStore, version, made);
      const file = await keepMadeStream(fileStore, content, { ext: 'zip', mime: 'application/zip' });
      await databases.write(async (tx) => {
        const one = and(eq(contractTable.id, id), isNull(contractTable.packed_file));
        const [open] = await tx.select({ id: contractTable.id }).from(contractTable).where(one).for('no key update');
        if (!open) return;
        const named = { name: `归档 ${row.archive_no}`, module: 'contracts', recordId: id, by: row.creator_id };
        await tx
          .update(contractTable)
          .set({ packed_file: await giveMade(tx, file, named) })
          .where(one);
      });
    },
  };
}
