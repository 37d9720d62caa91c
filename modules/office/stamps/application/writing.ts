import { and, eq, inArray } from 'drizzle-orm';
import { absent, invalid } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { attachAll, copyFiles, detachAll, filesById } from '#modules/platform/files/service.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import { link } from '#modules/platform/links/service.ts';
import type { ColumnsOf, RecordViewer, RecordWriting } from '#modules/workflow/records/service.ts';
import type { ApplicationInput } from '../contract/application.ts';
import { lineState, paperKind } from '../contract/codes.ts';
import { notOffered, tooManyCopies } from '../contract/refusals.ts';
import type { Look } from '../files/blanks.ts';
import { givenBy, hasFilesOf, offerFor, offerTo } from '../sources/offer.ts';
import { applicationFileTable, applicationTable, lineTable } from '../tables/application.ts';
import { stampTable } from '../tables/seals.ts';
import { module, type Stored } from './record.ts';

type Input = Partial<ApplicationInput>;
/** The only kind of file that may have more than the usual number of copies. */
const certificate = 8;
const usualCopies = 999;

/** The columns besides the sent ones: people by their names, and the fields that a linked record provides. */
export async function columnsOf(
  tx: Db,
  { row, sent, before, viewer: { user } }: RecordWriting<typeof applicationTable, RecordViewer>,
): Promise<ColumnsOf<typeof applicationTable>> {
  const { operator, escort, source, again_of } = sent as Input;
  const people = await peopleByName(
    tx,
    [operator, escort].filter((one) => typeof one === 'string'),
  );
  const idOf = (field: string, label: string, username: string | null | undefined) => {
    if (username === null || username === undefined) return null;
    const found = people.get(username);
    if (!found) throw invalid([{ field, label, msg: `没有“${username}”，或已停用` }]);
    return found.id;
  };
  if (again_of) await requireRefused(tx, again_of, user);
  const given = await givenFrom(tx, user, source === undefined && before ? sourceOf(before) : (source ?? null));
  refuseUnfit({ ...row, ...given });
  return {
    ...(operator === undefined && before ? {} : { operator_id: idOf('operator', '经办人', operator) ?? user.id }),
    ...(escort === undefined ? {} : { escort_id: idOf('escort', '陪同人', escort) }),
    ...(source === undefined ? {} : { source_module: source?.module ?? '', source_id: source?.id ?? null }),
    ...given,
  };
}

const sourceOf = ({ source_module: module, source_id: id }: Stored) => (id === null ? null : { module, id });
/** The fields that the linked record provides, which replace those sent; empty without a record. */
async function givenFrom(tx: Db, user: Viewer, source: ReturnType<typeof sourceOf>) {
  if (!source) return {};
  const offer = await offerFor(tx, user, source);
  if (!offer) throw notOffered();
  return givenBy(offer);
}

/** Refuses an original application that was not refused, or not the same person's. */
async function requireRefused(tx: Db, id: number, user: Viewer): Promise<void> {
  const { refused } = lineState;
  const [found] = await tx
    .select({ id: lineTable.id })
    .from(lineTable)
    .innerJoin(applicationTable, eq(applicationTable.id, lineTable.application_id))
    .where(and(eq(applicationTable.id, id), eq(applicationTable.creator_id, user.id), eq(lineTable.state, refused)))
    .limit(1);
  if (!found) throw absent('被拒绝的用印申请');
}

/** Refuses values that violate constraints of the database. */
function refuseUnfit({ file_kind, copies = 1, borrow_start: start, borrow_end: end }: Partial<Stored>): void {
  if (file_kind !== certificate && copies > usualCopies) throw tooManyCopies(usualCopies);
  if (start && end && end <= start)
    throw invalid([
      { field: 'borrow_end', label: '外带结束', msg: `${end.slice(0, 16)} 不晚于开始 ${start.slice(0, 16)}` },
    ]);
}

/** Writes the files and lines of an application. Files of a linked record are copied, because the record may change its own. */
export async function writeBeside(
  tx: Db,
  row: Stored,
  input: Input,
  user: Viewer,
  looks: ReadonlyMap<number, Look | null>,
): Promise<void> {
  const files = row.source_id === null ? input.files : await approvedFiles(tx, row);
  if (files) await writeFiles(tx, row, files, user, looks);
  if (input.lines) await writeLines(tx, row.id, input.lines);
  if (row.source_id !== null && input.source)
    await link(tx, {
      from: { module: row.source_module, id: row.source_id },
      to: { module, id: row.id },
      type: 'stamp',
      userId: user.id,
    });
}

/** The approved files of the linked record; undefined if the application has them already. */
async function approvedFiles(tx: Db, row: Stored): Promise<readonly number[] | undefined> {
  const offer = await offerTo(tx, row);
  if (!offer) throw notOffered();
  return (await hasFilesOf(tx, row.id, offer)) ? undefined : offer.files;
}

async function writeFiles(
  tx: Db,
  row: Stored,
  files: readonly number[],
  user: Viewer,
  looks: ReadonlyMap<number, Look | null>,
): Promise<void> {
  const t = applicationFileTable;
  const mine = and(eq(t.application_id, row.id), eq(t.kind, paperKind.toSeal));
  const had = (await tx.select({ id: t.file_id }).from(t).where(mine)).map((one) => one.id);
  const wanted: { id: number; look: Look | null }[] = [];
  for (const id of new Set(files)) {
    const [copied] = row.source_id === null ? [id] : await copyFiles(tx, { fileIds: [id], module, user });
    wanted.push({ id: copied!, look: looks.get(id) ?? null });
  }
  const ids = wanted.map((one) => one.id);
  await attachAll(tx, { fileIds: ids, module, recordId: row.id, user });
  const known = await filesById(tx, ids);
  await tx.delete(t).where(mine);
  await tx.insert(t).values(
    wanted.map(({ id, look }, order_no) => ({
      application_id: row.id,
      file_id: id,
      order_no,
      sha256: known.get(id)!.sha256,
      pages: look?.pages ?? null,
      blanks: look?.blanks ?? null,
    })),
  );
  await detachAll(tx, { fileIds: had.filter((id) => !ids.includes(id)), module, recordId: row.id });
}

async function writeLines(tx: Db, application_id: number, wanted: ApplicationInput['lines']): Promise<void> {
  const byStamp = new Map(wanted.map((line) => [line.stamp_id, line]));
  const found = await tx
    .select({ id: stampTable.id })
    .from(stampTable)
    .where(inArray(stampTable.id, [...byStamp.keys()]));
  if (found.length !== byStamp.size) throw absent('印章');
  await tx.delete(lineTable).where(eq(lineTable.application_id, application_id));
  await tx.insert(lineTable).values(Array.from(byStamp.values(), (line) => ({ application_id, ...line })));
}
