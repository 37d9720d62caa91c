import { eq, sql } from 'drizzle-orm';
import { daysLater } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { attachAll, enter, keepMade } from '#modules/platform/files/service.ts';
import { linesOf } from '#modules/office/stamps/application/lines.ts';
import { applications } from '#modules/office/stamps/application/record.ts';
import { columnsOf, writeBeside } from '#modules/office/stamps/application/writing.ts';
import { ApplicationInput } from '#modules/office/stamps/contract/application.ts';
import { applicationCalls } from '#modules/office/stamps/contract/applications.ts';
import { fileKind } from '#modules/office/stamps/contract/codes.ts';
import { takeBack } from '#modules/office/stamps/desk/ends.ts';
import { open } from '#modules/office/stamps/desk/opening.ts';
import { confirm, seal } from '#modules/office/stamps/desk/sealing.ts';
import { pictureModule } from '#modules/office/stamps/ledger/record.ts';
import { stampTable } from '#modules/office/stamps/tables/seals.ts';
import { module } from '../record/record.ts';
import { contractTable } from '../tables.ts';
import { fileOf, tell, tellerOf } from './demo.ts';
import type { Story } from './stories.ts';

const story: Story = {
  by: 'qin.haoyu',
  category: 'CG',
  name: '教学仪器采购合同',
  parties: ['精仪教学设备有限公司'],
  amount: 46_000,
  day: -9,
};
const contractSeal = '03';
const copies = 4;

/** A sealed contract that waits for its signature; made after the seals of the demonstration. */
export async function addSealedContract(tx: Db, now: Date): Promise<void> {
  const teller = await tellerOf(tx, now);
  const id = await tell(teller, story, null);
  const author = await teller.desk.person(story.by);
  const final = await fileOf(tx, author.id, story.name);
  await attachAll(tx, { fileIds: [final], module, recordId: id, user: author });
  await tx.update(contractTable).set({ final_file: final }).where(eq(contractTable.id, id));
  const seals = await tx.select().from(stampTable);
  const stamp_id = seals.find((one) => one.stamp_no.endsWith(contractSeal))!.id;
  const as = (who: string | number) => teller.desk.as(who, now);
  const input = ApplicationInput.parse({
    title: story.name,
    file_kind: fileKind.contract,
    copies,
    amount: story.amount,
    reason: '签订合同',
    no_blanks: true,
    pages: 1,
    files: [final],
    lines: [{ stamp_id }],
    source: { module, id },
  });
  const { files: _files, lines: _lines, operator: _operator, escort: _escort, source: _source, ...row } = input;
  const own = await columnsOf(tx, { row, sent: input, before: null, viewer: { user: author } });
  const columns = { ...row, ...own };
  const made = await applications.create(await as(story.by), columns, { submit: true }, (kept) =>
    writeBeside(tx, kept, input, author, new Map()),
  );
  await teller.desk.decide(made.ticket_id!, { at: now });
  const begun = daysLater(now, -1);
  await tx.execute(sql`update stamp_application set gmt_created = ${begun.toISOString()} where id = ${made.id!}`);
  await teller.desk.dateTicket(made.ticket_id, begun, new Date(begun.getTime() + 5 * 3_600_000));
  const [line] = await linesOf(tx, [made.id!]);
  const desk = async (who: number) => open(await as(who), made.id!, [stamp_id]);
  const drawn = (await import('sharp')).default({
    create: { width: 480, height: 320, channels: 3, background: '#fff' },
  });
  const photo = await keepMade(tx.services.fileStore, await drawn.jpeg().toBuffer(), {
    ext: 'jpg',
    mime: 'image/jpeg',
  });
  const loose = { ...photo, name: '用印照片.jpg', thumb: null };
  const pictures = [await enter(tx, loose, { module: pictureModule, uploader_id: line!.keeper })];
  const sealing = { stamp_ids: [stamp_id], kind: 'seal', pictures, remark: '合同用印' };
  await seal(await desk(line!.keeper), applicationCalls.handle.body!.parse(sealing));
  const second = line!.supervisor_id ?? line!.backup_id;
  const [after] = await linesOf(tx, [made.id!]);
  if (second !== null && after!.pending) await confirm(await desk(second), { code: undefined, proven: true });
  await takeBack(await desk(line!.keeper), { copies: 1, remark: '一份装订缺页' });
}
