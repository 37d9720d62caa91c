import { and, eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { absent, stale } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import type { folders } from '../contract.ts';
import { holdTicket, removeTicket, type CommandContext } from '#modules/tickets/service.ts';
import {
  askApproval,
  isApproved,
  isWithAuthor,
  keepTitle,
  refuseOtherFlow,
  refuseOthers,
  refuseWhileApproved,
} from './approving.ts';
import {
  approvedKept,
  notDraft,
  notInForce,
  notToPublish,
  numberTaken,
  replacedBefore,
  replaceUnknown,
  repealUnsaid,
  settled,
  textKept,
} from '../contract/refusals.ts';
import { statuses } from '../contract/list.ts';
import { paperStatus, type PaperInput } from '../contract/rows.ts';
import { checkReady, putInForce, standing, type Stored } from './in-force.ts';
import { audienceOf, managedBy, type PaperViewer } from '../categories/visibility.ts';
import { paperTable } from '../tables.ts';
import { announce, withdrawTodosOf } from '../reading/notify.ts';
import { dropFiles, placeFiles } from './files.ts';
import { checkDates, checkPlaces, placeScope } from './parts.ts';

type Writing = Pick<Context, 'tx' | 'audit'> & { user: PaperViewer };
type Deciding = Writing & CommandContext;
const { draft, inForce, revised, repealed } = paperStatus;
const label = (status: number) => statuses[status as keyof typeof statuses];

type NewPaper = BodyOf<typeof folders.createPaper>;

/** A draft, or sent on at once to be published; `replace_id` makes it a revision. */
export async function createPaper(body: NewPaper, context: Deciding) {
  const made = await draftPaper(body, context);
  if (body.status === inForce) await publish(made, context);
  return { id: made.id };
}

/** Writes a draft. */
export async function draftPaper(
  body: Omit<NewPaper, 'status'>,
  { tx, user, audit }: Writing,
  sourceDocumentId: number | null = null,
): Promise<Stored> {
  await checkPlaces(tx, user, 'Create', body);
  const old = body.replace_id ? await paperToRevise(tx, user, body.replace_id) : null;
  checkDates({
    publish_date: body.publish_date,
    effective_date: body.effective_date,
    expire_date: body.expire_date,
    read_deadline: body.read_deadline,
  });
  const [made] = await saving(
    body.fwh,
    tx
      .insert(paperTable)
      .values({
        creator_id: user.id,
        title: body.title,
        category_id: body.category_id,
        dept_id: body.dept,
        publish_date: body.publish_date,
        ...columnsOf(body),
        source_document_id: sourceDocumentId,
        replace_id: old?.id ?? null,
        version_no: old ? old.version_no + 1 : 1,
        search: searchOf(body),
      })
      .returning(),
  );
  await placeScope(tx, made!.id, body.scope);
  await placeFiles(tx, made!.id, body, user);
  audit({ type: '制度文件', id: made!.id, title: nameInLog(made!), after: facts(made!) });
  return made!;
}

/** Changes what is sent; publishes or repeals where `status` says so. The text of a published paper stays as it is. */
export async function updatePaper(id: number, body: BodyOf<typeof folders.updatePaper>, context: Deciding) {
  const { tx, user, audit } = context;
  const before = await paperTo(tx, user, id, 'Update');
  if (body.version !== undefined && body.version !== before.version) throw stale('文件', shown(before));
  refuseWhileApproved(before);
  await refuseOthers(tx, user, before, 'save');
  if (before.status === revised || before.status === repealed) throw settled(label(before.status));
  if (body.status === inForce && before.status !== draft) throw notToPublish(label(before.status));
  if (body.status === repealed && before.status !== inForce) throw notInForce(label(before.status));
  if (before.status === inForce && body.content !== undefined && body.content !== before.content) throw textKept();
  const approved = await isApproved(tx, before);
  if (approved && body.title !== undefined && body.title !== before.title) throw approvedKept();
  const heard = before.status === inForce ? await audienceOf(tx, id) : [];
  await checkPlaces(tx, user, 'Update', body, before.category_id);
  if (body.category_id !== undefined) await refuseOtherFlow(tx, before, body.category_id);
  const columns = columnsOf(body);
  const next = { ...before, ...columns };
  checkDates(next);
  const [after] = await saving(
    body.fwh,
    tx
      .update(paperTable)
      .set({
        ...columns,
        search: searchOf(next),
        version: before.version + 1,
        gmt_modified: sql`now()`,
        ...(body.status === repealed ? repealOf(body) : {}),
      })
      .where(eq(paperTable.id, id))
      .returning(),
  );
  if (body.scope) await placeScope(tx, id, body.scope);
  await placeFiles(tx, id, body, user, approved ? 'all' : before.status === draft ? null : 'body');
  audit({ type: '制度文件', id, title: nameInLog(after!), before: facts(before), after: facts(after!) });
  await keepTitle(context, before, after!);
  if (body.status === inForce) await publish(after!, context);
  else if (after!.status === repealed) await withdrawTodosOf(tx, id);
  else if (after!.status === inForce) await announce(tx, after!, heard);
  return { id };
}

export async function removePaper(id: number, context: Deciding) {
  const { tx, user, audit } = context;
  const before = await paperTo(tx, user, id, 'Delete');
  if (before.status !== draft) throw notDraft(label(before.status));
  refuseWhileApproved(before);
  await refuseOthers(tx, user, before, 'delete');
  if (isWithAuthor(before)) await removeTicket(context, before.ticket_id!);
  await dropFiles(tx, id);
  await tx.delete(paperTable).where(eq(paperTable.id, id));
  audit({ type: '制度文件', id, title: nameInLog(before), before: facts(before) });
  return { id };
}

/** Puts a draft in force, or sends it to be approved where its category asks for that. */
async function publish(paper: Stored, context: Deciding): Promise<void> {
  const { tx, user, audit, now } = context;
  if (paper.replace_id !== null) await paperToRevise(tx, user, paper.replace_id);
  await checkReady(tx, paper, now);
  if (await askApproval(context, paper)) return;
  const old = await putInForce(tx, paper, now);
  if (old) audit(standing(old, revised));
  audit(standing(paper, inForce));
}

async function paperTo(tx: Db, user: PaperViewer, id: number, code: 'Update' | 'Delete'): Promise<Stored> {
  const read = () =>
    tx
      .select()
      .from(paperTable)
      .where(and(eq(paperTable.id, id), managedBy(user, code)));
  const [known] = await read();
  if (known?.ticket_id) await holdTicket(tx, known.ticket_id);
  const [found] = await read().for('update');
  if (!found) throw absent('该文件');
  return found;
}

async function paperToRevise(tx: Db, user: PaperViewer, id: number): Promise<Stored> {
  const [found] = await tx
    .select()
    .from(paperTable)
    .where(and(eq(paperTable.id, id), managedBy(user, 'Update')))
    .for('update');
  if (found?.status === revised) throw replacedBefore(found.title);
  if (found?.status !== inForce) throw replaceUnknown();
  return found;
}

function columnsOf(body: Partial<PaperInput>) {
  const said = <K extends string, V>(column: K, value: V | undefined) =>
    (value === undefined ? {} : { [column]: value }) as { [k in K]?: V };
  return {
    ...said('title', body.title),
    ...said('category_id', body.category_id),
    ...said('fwh', body.fwh),
    ...said('dept_id', body.dept),
    ...said('publish_date', body.publish_date),
    ...said('effective_date', body.effective_date),
    ...said('expire_date', body.expire_date),
    ...said('content', body.content),
    ...said('keywords', body.keywords),
    ...said('scope_all', body.scope?.all),
    ...said('must_read', body.must_read),
    ...said('read_deadline', body.read_deadline),
    ...said('quiz', body.quiz),
    ...said('top', body.top),
  };
}

function repealOf(body: { repeal_reason?: string | undefined; repeal_date?: string | undefined }) {
  if (!body.repeal_reason || !body.repeal_date) throw repealUnsaid();
  return {
    status: repealed,
    repeal_reason: body.repeal_reason,
    repeal_date: body.repeal_date,
    repealed_at: sql`now()`,
  };
}

function searchOf(paper: {
  title: string;
  keywords?: string | undefined;
  content?: string | undefined;
  fwh?: string | undefined;
}) {
  return searchVector({ codes: [paper.fwh], texts: [paper.title, paper.keywords, paper.content] });
}

function saving<T>(fwh: string | undefined, work: Promise<T>): Promise<T> {
  return work.catch(refuseOn('folder_paper_fwh', () => numberTaken(fwh ?? '')));
}

function shown(paper: Stored): Record<string, unknown> {
  const { search: _search, ...rest } = paper;
  return { ...rest, category_id: rest.category_id, dept: rest.dept_id, publish_date: rest.publish_date };
}

/** A draft is for those who write it alone. */
const nameInLog = ({ status, title }: Stored) => (status === draft ? '一份文件草稿' : title);

function facts(paper: Stored): Record<string, unknown> {
  return {
    ...(paper.status === draft ? {} : { 标题: paper.title, 发文号: paper.fwh }),
    发布日期: paper.publish_date,
    生效日期: paper.effective_date,
    失效日期: paper.expire_date,
    状态: label(paper.status),
    全体可读: paper.scope_all,
    必读: paper.must_read,
    阅读期限: paper.read_deadline,
    小测题数: paper.quiz.length,
    置顶: paper.top,
    废止原因: paper.repeal_reason,
  };
}
