import { eq, sql } from 'drizzle-orm';
import { dayOf, momentOf } from '#kernel/contract/moment.ts';
import { named, type Db } from '#kernel/server/db/db.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { fileCards } from '#modules/files/service.ts';
import { deptNamesById, peopleById } from '#modules/people/service.ts';
import { actionsOn, approvalsOf, type TicketViewer } from '#modules/tickets/service.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { docKinds, docTypes, levels, secretLevels, type DocumentDetail, type DocumentRow } from '../contract/shapes.ts';
import { lossWarnings } from '../bodies/known.ts';
import { archiveShown } from '../archive/shown.ts';
import { subordinatesAmong } from '../rules/subordinates.ts';
import { mayNoteAnswer, repliesTo, wantsAnswer } from '../replies/replies.ts';
import { revisionOf } from '../signing/signing.ts';
import { colophonOf, isBeingPrinted } from '../typeset/colophon.ts';
import { isThrough } from './summaries.ts';
import { directionOf, warningsOf } from '../rules/rules.ts';
import { answered, outdatedWarnings } from '../replies/citing.ts';
import { recipientDetail, recipientRow } from '../visibility/recipient-view.ts';
import { collectedBy, isOffice, seenFromInside, type DocumentCategory, type Stored } from '../visibility/visibility.ts';
import { documentCategoryTable, documentTable } from '../tables.ts';

/** Of a document, what a list shows and what decides its actions. */
const listed = {
  id: documentTable.id,
  title: documentTable.title,
  act_state: documentTable.act_state,
  ticket_id: documentTable.ticket_id,
  creator_id: documentTable.creator_id,
  doc_kind: documentTable.doc_kind,
  category_id: documentTable.category_id,
  doc_type: documentTable.doc_type,
  doc_number: documentTable.doc_number,
  receipt_no: documentTable.receipt_no,
  from_org: documentTable.from_org,
  level: documentTable.level,
  secret_level: documentTable.secret_level,
  dept_id: documentTable.dept_id,
  lead_dept: documentTable.lead_dept,
  written_date: documentTable.written_date,
  received_date: documentTable.received_date,
  submitted_at: documentTable.submitted_at,
  finished_at: documentTable.finished_at,
  approved: documentTable.approved,
  is_void: documentTable.is_void,
  due_at: documentTable.due_at,
  gmt_created: documentTable.gmt_created,
  version: documentTable.version,
};
type Listed = Pick<Stored, keyof typeof listed>;

const soon = 24 * 3600_000;

function lightOf({ due_at: due, act_state: now }: Listed, at: Date): number {
  if (due === null || now === actState.finished || now === actState.closed) return 0;
  const left = momentOf(due).getTime() - at.getTime();
  return left < 0 ? 3 : left < soon ? 2 : 1;
}

/** What a module adds to what the ticket allows. */
function ownActions(doc: Listed, { user }: TicketViewer, handles: boolean, collected: boolean): string[] {
  const open = doc.act_state === actState.ongoing || doc.act_state === actState.finishAsked;
  return [
    collected ? 'uncollect' : 'collect',
    ...(doc.submitted_at !== null && doc.secret_level === 0 ? ['qrcode'] : []),
    ...(mayArchive(doc, user) ? ['archive'] : []),
    ...(mayEdit(doc, user, handles) ? ['edit'] : []),
    ...(open && mayUrge(doc, user) ? ['urge'] : []),
    ...(open && (handles || isOffice(user)) ? ['level'] : []),
    ...(wantsAnswer(doc) && mayNoteAnswer(doc, user) ? ['note_answer'] : []),
    ...(mayBecomePaper(doc) && holds(user, 'Create', 'folder/papers') ? ['adopt'] : []),
    ...(isThrough(doc) && holds(user, 'Create', 'document/dist') ? ['distribute'] : []),
  ];
}

const mayBecomePaper = (doc: Listed) => doc.secret_level === 0 && isThrough(doc);

export const isLeading = (doc: Listed, user: { depts: readonly number[] }) =>
  doc.lead_dept !== null && user.depts.includes(doc.lead_dept);
export const mayUrge = (doc: Listed, user: Viewer) =>
  doc.creator_id === user.id || isOffice(user) || isLeading(doc, user);
export const isWithAuthor = ({ act_state: now }: Pick<Stored, 'act_state'>) =>
  now === actState.draft || now === actState.returned || now === actState.withdrawn;
/** Its author while it is with them, whoever has it while it is on its way. */
export const mayEdit = (doc: Listed, user: { id: number }, handles: boolean) =>
  isWithAuthor(doc) ? doc.creator_id === user.id : doc.act_state === actState.ongoing && handles;

/** The office, what is through and may lie here; whether it lies there already is known on its page. */
const mayArchive = (doc: Listed, user: Viewer) =>
  isThrough(doc) && doc.act_state !== actState.finishAsked && doc.secret_level === 0 && isOffice(user);
/** All that is left of what may be done once a document is archived. */
const readingOnly: readonly string[] = ['collect', 'uncollect', 'qrcode'];

const deciding = ['approve', 'refuse', 'other', 'add_node_end'];
export const isHandling = (actions: readonly string[]) => actions.some((code) => deciding.includes(code));

/**
 * Documents as a person sees them in a list, in the order of the ids; a handful of statements, however many. `category`: the one they
 * were found in.
 */
export async function rowsOf(
  tx: Db,
  ids: readonly number[],
  viewer: TicketViewer,
  now: Date,
  category?: DocumentCategory,
): Promise<DocumentRow[]> {
  if (ids.length === 0) return [];
  const mixed = category === undefined || category === 'collect';
  const known = new Set(mixed ? await seenFromInside(tx, viewer, ids) : ids);
  const found = await named(
    tx
      .select({
        doc: listed,
        category: sql<string>`coalesce(${documentCategoryTable.name}, '')`,
        dept: sql<string>`coalesce((select d.name from dept d where d.id = ${documentTable.dept_id}), '')`,
        collected: collectedBy(viewer.user),
      })
      .from(documentTable)
      .leftJoin(documentCategoryTable, eq(documentCategoryTable.id, documentTable.category_id))
      .where(sql`${documentTable.id} = any(${sql.param([...ids])}::int[])`),
  );
  const approvals = await approvalsOf(
    tx,
    found.flatMap(({ doc }) => doc.ticket_id ?? []),
    viewer,
  );
  const rows = new Map(
    found.flatMap(({ doc, category, dept, collected }) => {
      const approval = approvals.get(doc.ticket_id ?? 0);
      if (!approval) return [];
      const own = ownActions(doc, viewer, isHandling(approval.actions), collected);
      const row: DocumentRow = {
        ...approval,
        id: doc.id,
        title: doc.title,
        doc_kind: doc.doc_kind,
        doc_kind_name: docKinds[doc.doc_kind as 1],
        category_id: doc.category_id,
        category_name: category,
        doc_type: doc.doc_type,
        doc_type_name: docTypes[doc.doc_type] ?? '',
        doc_number: doc.doc_number,
        receipt_no: doc.receipt_no,
        from_org: doc.from_org,
        level: doc.level,
        level_name: levels[doc.level as 0],
        secret_level: doc.secret_level,
        secret_level_name: secretLevels[doc.secret_level as 0],
        dept: doc.dept_id,
        dept_name: dept,
        creator: approval.creator_info.username,
        written_date: doc.written_date,
        received_date: doc.received_date,
        submitted_at: doc.submitted_at,
        finished_at: doc.finished_at,
        due_at: doc.due_at,
        light: lightOf(doc, now),
        collected,
        gmt_created: doc.gmt_created,
        version: doc.version,
        actions: [...approval.actions, ...own],
        inside: known.has(doc.id),
      };
      return [[doc.id, row.inside ? row : recipientRow(row)] as const];
    }),
  );
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** The whole of a document, with all that may be done with it now. */
export async function detailOf(tx: Db, doc: Stored, viewer: TicketViewer, now: Date): Promise<DocumentDetail> {
  const [row] = await rowsOf(tx, [doc.id], viewer, now);
  if (!row) throw new Error(`document ${doc.id} has no ticket`);
  const held = [doc.body_file, doc.final_file, ...doc.attachments].filter((one) => one !== null);
  const files = await fileCards(tx, held, viewer.user);
  const depts = await deptNamesById(tx, [...doc.co_depts, ...(doc.lead_dept === null ? [] : [doc.lead_dept])]);
  const issuer = doc.issuer === null ? null : (await peopleById(tx, [doc.issuer])).get(doc.issuer);
  const attachments = doc.attachments.flatMap((id) => files.get(id) ?? []);
  const ofTicket = await actionsOn(tx, viewer, doc.ticket_id ?? 0);
  const all = [...new Set([...ofTicket.filter((code) => code !== 'urge'), ...row.actions])];
  const archive = await archiveShown(tx, doc, viewer.user);
  const detail: DocumentDetail = {
    ...row,
    actions: archive ? row.actions.filter((code) => readingOnly.includes(code)) : all,
    direction: directionOf(doc, await subordinatesAmong(tx, doc)),
    summary: doc.summary,
    keywords: doc.keywords,
    number_rule_id: doc.number_rule_id,
    redhead_id: doc.redhead_id,
    from_number: doc.from_number,
    from_copies: doc.from_copies,
    secret_period: doc.secret_period,
    copy_no: doc.copy_no,
    publicity: doc.publicity,
    publicity_reason: doc.publicity_reason,
    issue_org: doc.issue_org,
    joint_orgs: doc.joint_orgs,
    main_send: doc.main_send,
    copy_send: doc.copy_send,
    leader_assigned: doc.leader_assigned,
    issuer: issuer?.username ?? null,
    issuer_info: issuer ?? null,
    sign_date: doc.sign_date,
    body_html: doc.body_html,
    body_file: (doc.body_file !== null && files.get(doc.body_file)) || null,
    attachments,
    attachment_note: noteOf(attachments.map((file) => file.name)),
    annotation: doc.annotation,
    contact_name: doc.contact_name,
    contact_phone: doc.contact_phone,
    print_org: doc.print_org,
    print_date: doc.print_date,
    print_copies: doc.print_copies,
    colophon: isBeingPrinted(doc) ? await colophonOf(tx, doc, dayOf(now)) : null,
    lead_dept: doc.lead_dept,
    lead_dept_name: depts.get(doc.lead_dept ?? 0) ?? '',
    co_depts: doc.co_depts,
    co_depts_info: doc.co_depts.map((id) => ({ id, name: depts.get(id) ?? '' })),
    propose_opinion: doc.propose_opinion,
    leader_opinion: doc.leader_opinion,
    handle_result: doc.handle_result,
    reply_to_id: doc.reply_to_id,
    answer_note: doc.answer_note,
    reply_to_info: await answered(tx, doc, viewer),
    ...(await repliesTo(tx, doc, viewer)),
    body_sha256: doc.body_sha256,
    revision: await revisionOf(tx, doc),
    archive,
    final_file: (doc.final_file !== null && files.get(doc.final_file)) || null,
    warnings: [
      ...warningsOf(doc),
      ...(await lossWarnings(tx, doc.body_file)),
      ...(await outdatedWarnings(tx, doc, viewer)),
    ],
  };
  return detail.inside ? detail : recipientDetail(detail);
}

const noteOf = (names: readonly string[]) => {
  const plain = names.map((name) => name.replace(/\.[^.]+$/, ''));
  if (plain.length === 0) return '';
  return plain.length === 1
    ? `附件：${plain[0]}`
    : `附件：${plain.map((name, index) => `${index + 1}.${name}`).join('　')}`;
};
