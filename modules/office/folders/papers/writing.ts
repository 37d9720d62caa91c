import { and, eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { scopeOf } from '#kernel/server/access/viewer.ts';
import { attachAll, detachAll } from '#modules/platform/files/service.ts';
import { isNobody } from '#modules/platform/people/contract/audience.ts';
import { deptsBelow } from '#modules/platform/people/service.ts';
import { checkAudience, namesIn } from '#modules/platform/people/service/audience.ts';
import { workflowOfCategory, type ColumnsOf, type Writing } from '#modules/workflow/records/service.ts';
import type { folders } from '../contract.ts';
import * as refusals from '../contract/refusals.ts';
import { paperStatus, statusName } from '../contract/list.ts';
import type { PaperInput } from '../contract/papers.ts';
import { announcePaper, withdrawTodosOf } from '../reading/notify.ts';
import { categoryTable, paperTable } from '../tables.ts';
import { audienceOf, type PaperViewer } from './audience.ts';
import { module, page, papers, paperToRevise, type Stored } from './record.ts';

type NewPaper = Omit<BodyOf<typeof folders.createPaper>, 'status'>;
type Columns = ColumnsOf<typeof paperTable>;
const { draft, inForce, revised, repealed } = paperStatus;

/** Creates a draft, or publishes it at once; `replace_id` makes it a revision. Returns its id. */
export async function createPaper(
  context: Writing,
  viewer: PaperViewer,
  { replace_id, ...body }: NewPaper,
  submit: boolean,
  source_document_id: number | null = null,
): Promise<{ id: number }> {
  const { tx, user } = context;
  await checkPlaces(tx, viewer, 'Create', body);
  const old = replace_id ? await paperToRevise(tx, viewer, replace_id) : null;
  const columns = await columnsOf(tx, body);
  checkDays(columns as Stored);
  const revision = { replace_id: old?.id ?? null, version_no: (old?.version_no ?? 0) + 1, source_document_id };
  const { id } = await papers
    .create(context, { ...columns, ...revision }, { submit }, (paper) => placeFiles(tx, paper, null, user))
    .catch(refuseTaken(body));
  return { id };
}

/** Changes the sent fields; publishes or repeals if `status` says so. The text of a published paper stays as it is. */
export async function updatePaper(
  context: Writing,
  viewer: PaperViewer,
  id: number,
  { status, version, repeal_reason, repeal_date, ...body }: BodyOf<typeof folders.updatePaper>,
): Promise<{ id: number }> {
  const { tx, user } = context;
  const current = (row: Stored) => ({ ...row, dept: row.dept_id });
  const before = await papers.requireToWrite(context, viewer, id, { code: 'Update', version, current });
  const other = (why: string) => refusals.otherStatus(statusName(before.status), why);
  if (before.status === revised || before.status === repealed) throw other('内容不再修改');
  if (status === inForce && before.status !== draft) throw other('只有草稿可以发布');
  if (status === repealed && before.status !== inForce) throw other('只有现行有效的文件可以废止');
  if (status === repealed && !(repeal_reason && repeal_date)) throw refusals.repealUnsaid();
  if (repeal_date && repeal_date < before.publish_date)
    throw refusals.daysCrossed(`废止日期 ${repeal_date} `, `发布日期 ${before.publish_date}`);
  if (repeal_date && repeal_date > dayOf(context.now)) throw refusals.repealAhead(repeal_date);
  await checkPlaces(tx, viewer, 'Update', body, before.category_id);
  if (body.category_id !== undefined) await refuseOtherFlow(tx, before, body.category_id);
  if (status === inForce && before.replace_id !== null) await paperToRevise(tx, viewer, before.replace_id, id);
  const columns = await columnsOf(tx, body, before);
  const next = { ...before, ...columns } as Stored;
  checkDays(next);
  await refuseKept(tx, before, next);
  const heard = before.status === inForce ? await audienceOf(tx, id) : [];
  const repeal = status === repealed ? { status, repeal_reason, repeal_date, repealed_at: sql`now()` } : {};
  await papers
    .save(context, before, { ...columns, ...repeal }, { submit: status === inForce }, (row) =>
      placeFiles(tx, row, before, user),
    )
    .catch(refuseTaken(body));
  if (status === repealed) await withdrawTodosOf(tx, id);
  else if (before.status === inForce) await announcePaper(tx, next, heard);
  return { id };
}

export async function removePaper(context: Writing, viewer: PaperViewer, id: number): Promise<{ id: number }> {
  const paper = await papers.requireToWrite(context, viewer, id, { code: 'Delete', act: '删除' });
  if (paper.status !== draft)
    throw refusals.otherStatus(statusName(paper.status), '只有草稿可以删除；不再执行的请废止');
  return papers.remove(context, paper, filesOf(paper));
}

/** True if the text of a paper in force was approved or would need approval; then only a revision changes it. */
export const isApproved = async (tx: Db, paper: Stored): Promise<boolean> =>
  paper.status !== draft && (paper.ticket_id !== null || (await papers.definition.flow.of(tx, paper)) !== null);

/** Refuses to move a paper that is in review or approved to a category with another workflow, or with none. */
async function refuseOtherFlow(tx: Db, paper: Stored, category: number): Promise<void> {
  if (category === paper.category_id || (paper.status === draft && paper.ticket_id === null)) return;
  const [there, here] = [await flowOf(tx, category), await flowOf(tx, paper.category_id)];
  if (there !== here) throw refusals.otherFlow();
}
const flowOf = (tx: Db, category: number) => workflowOfCategory(tx, categoryTable, category);

/** Refuses to rewrite the text of a paper in force, and of an approved one also its title and attachments. */
async function refuseKept(tx: Db, before: Stored, next: Stored): Promise<void> {
  if (before.status === draft) return;
  if (next.content !== before.content || next.file !== before.file) throw refusals.textKept();
  const beside = ({ attachments }: Stored) => attachments.toSorted().join();
  if (next.title === before.title && beside(next) === beside(before)) return;
  if (await isApproved(tx, before)) throw refusals.approvedKept();
}

/** Refuses a department for which the writer may not publish, and a category that is not in use; `kept` is the paper's present category. */
async function checkPlaces(
  tx: Db,
  { user, looksAfter }: PaperViewer,
  code: 'Create' | 'Update',
  { category_id, dept }: Partial<PaperInput>,
  kept = 0,
): Promise<void> {
  const scope = scopeOf(user, code, page);
  const here = looksAfter.includes(category_id ?? kept);
  if (category_id !== undefined) {
    // A writer whose data scope is empty may file only in categories that they manage.
    const anywhere = scope.all || scope.depts.size > 0 || here || category_id === kept;
    if (!anywhere) throw refusals.unknownCategory();
    const usable = and(eq(categoryTable.id, category_id), categoryTable.status);
    const [found] = await tx.select().from(categoryTable).where(usable).for('share');
    if (!found) throw refusals.unknownCategory();
  }
  if (dept === undefined) return;
  const reached = scope.all || scope.depts.has(dept) || user.depts.includes(dept) || here;
  if (!reached || (await deptsBelow(tx, [dept])).length === 0) throw refusals.deptOutside();
}

/** Refuses a paper that would expire before it takes effect, or whose reading deadline is before its publication. */
function checkDays({ publish_date: publish, effective_date, expire_date: expire, read_deadline: read }: Stored): void {
  const from = effective_date ?? publish;
  if (expire && expire < from) throw refusals.daysCrossed(`失效日期 ${expire} `, `生效日期 ${from}`);
  if (read && read < publish) throw refusals.daysCrossed(`阅读期限 ${read} `, `发布日期 ${publish}`);
}

/** The sent fields as columns; refuses an audience that is empty or consists of people who have left. */
async function columnsOf(
  tx: Db,
  { dept, scope, file, attachments, ...same }: Partial<PaperInput>,
  before?: Stored,
): Promise<Columns> {
  if (scope) await checkAudience(tx, scope);
  if (scope && isNobody(scope)) throw refusals.scopeEmpty();
  const main = file === undefined ? before?.file : file;
  const beside = file === undefined ? attachments : (attachments ?? before?.attachments);
  const sent = {
    ...same,
    dept_id: dept,
    audience: scope && namesIn(scope),
    file,
    attachments: beside && [...new Set(beside)].filter((id) => id !== main),
  };
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Columns;
}

const filesOf = ({ file, attachments }: Stored) => [...(file === null ? [] : [file]), ...attachments];
/** Attaches the sent files to a paper and removes those no longer listed. */
async function placeFiles(tx: Db, paper: Stored, before: Stored | null, user: { id: number }): Promise<void> {
  const [had, has] = [before ? filesOf(before) : [], filesOf(paper)];
  await detachAll(tx, { fileIds: had.filter((id) => !has.includes(id)), module, recordId: paper.id });
  await attachAll(tx, { fileIds: has.filter((id) => !had.includes(id)), module, recordId: paper.id, user });
}

const refuseTaken = ({ fwh }: Partial<PaperInput>) =>
  refuseOn('folder_paper_fwh', () => refusals.numberTaken(fwh ?? ''));
