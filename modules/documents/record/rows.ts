import { eq, sql } from 'drizzle-orm';
import { dayOf, momentOf } from '#kernel/contract/moment.ts';
import { named, type Db } from '#kernel/server/db/db.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Signer } from '#modules/files/service.ts';
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
  actState: documentTable.actState,
  ticketId: documentTable.ticketId,
  creatorId: documentTable.creatorId,
  docKind: documentTable.docKind,
  categoryId: documentTable.categoryId,
  docType: documentTable.docType,
  docNumber: documentTable.docNumber,
  receiptNo: documentTable.receiptNo,
  fromOrg: documentTable.fromOrg,
  level: documentTable.level,
  secretLevel: documentTable.secretLevel,
  deptId: documentTable.deptId,
  leadDeptId: documentTable.leadDeptId,
  writtenDate: documentTable.writtenDate,
  receivedDate: documentTable.receivedDate,
  submitted: documentTable.submitted,
  finished: documentTable.finished,
  approved: documentTable.approved,
  voided: documentTable.voided,
  due: documentTable.due,
  created: documentTable.created,
  version: documentTable.version,
};
type Listed = Pick<Stored, keyof typeof listed>;

const soon = 24 * 3600_000;

function lightOf({ due, actState: now }: Listed, at: Date): number {
  if (due === null || now === actState.finished || now === actState.closed) return 0;
  const left = momentOf(due).getTime() - at.getTime();
  return left < 0 ? 3 : left < soon ? 2 : 1;
}

/** What a module adds to what the ticket allows. */
function ownActions(doc: Listed, { user }: TicketViewer, handles: boolean, collected: boolean): string[] {
  const open = doc.actState === actState.ongoing || doc.actState === actState.finishAsked;
  return [
    collected ? 'uncollect' : 'collect',
    ...(doc.submitted !== null && doc.secretLevel === 0 ? ['qrcode'] : []),
    ...(mayArchive(doc, user) ? ['archive'] : []),
    ...(mayEdit(doc, user, handles) ? ['edit'] : []),
    ...(open && mayUrge(doc, user) ? ['urge'] : []),
    ...(open && (handles || isOffice(user)) ? ['level'] : []),
    ...(wantsAnswer(doc) && mayNoteAnswer(doc, user) ? ['note_answer'] : []),
    ...(mayBecomePaper(doc) && holds(user, 'Create', 'folder/papers') ? ['adopt'] : []),
    ...(isThrough(doc) && holds(user, 'Create', 'document/dist') ? ['distribute'] : []),
  ];
}

const mayBecomePaper = (doc: Listed) => doc.secretLevel === 0 && isThrough(doc);

export const isLeading = (doc: Listed, user: { depts: readonly number[] }) =>
  doc.leadDeptId !== null && user.depts.includes(doc.leadDeptId);
export const mayUrge = (doc: Listed, user: Viewer) =>
  doc.creatorId === user.id || isOffice(user) || isLeading(doc, user);
export const isWithAuthor = ({ actState: now }: Pick<Stored, 'actState'>) =>
  now === actState.draft || now === actState.returned || now === actState.withdrawn;
/** Its author while it is with them, whoever has it while it is on its way. */
export const mayEdit = (doc: Listed, user: { id: number }, handles: boolean) =>
  isWithAuthor(doc) ? doc.creatorId === user.id : doc.actState === actState.ongoing && handles;

/** The office, what is through and may lie here; whether it lies there already is known on its page. */
const mayArchive = (doc: Listed, user: Viewer) =>
  isThrough(doc) && doc.actState !== actState.finishAsked && doc.secretLevel === 0 && isOffice(user);
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
        dept: sql<string>`coalesce((select d.name from dept d where d.id = ${documentTable.deptId}), '')`,
        collected: collectedBy(viewer.user),
      })
      .from(documentTable)
      .leftJoin(documentCategoryTable, eq(documentCategoryTable.id, documentTable.categoryId))
      .where(sql`${documentTable.id} = any(${sql.param([...ids])}::int[])`),
  );
  const approvals = await approvalsOf(
    tx,
    found.flatMap(({ doc }) => doc.ticketId ?? []),
    viewer,
  );
  const rows = new Map(
    found.flatMap(({ doc, category, dept, collected }) => {
      const approval = approvals.get(doc.ticketId ?? 0);
      if (!approval) return [];
      const own = ownActions(doc, viewer, isHandling(approval.actions), collected);
      const row: DocumentRow = {
        ...approval,
        id: doc.id,
        title: doc.title,
        doc_kind: doc.docKind,
        doc_kind_name: docKinds[doc.docKind as 1],
        category_id: doc.categoryId,
        category_name: category,
        doc_type: doc.docType,
        doc_type_name: docTypes[doc.docType] ?? '',
        doc_number: doc.docNumber,
        receipt_no: doc.receiptNo,
        from_org: doc.fromOrg,
        level: doc.level,
        level_name: levels[doc.level as 0],
        secret_level: doc.secretLevel,
        secret_level_name: secretLevels[doc.secretLevel as 0],
        dept: doc.deptId,
        dept_name: dept,
        creator: approval.creator_info.username,
        written_date: doc.writtenDate,
        received_date: doc.receivedDate,
        submitted_at: doc.submitted,
        finished_at: doc.finished,
        due_at: doc.due,
        light: lightOf(doc, now),
        collected,
        gmt_created: doc.created,
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
export async function detailOf(
  tx: Db,
  doc: Stored,
  viewer: TicketViewer,
  signer: Signer,
  now: Date,
): Promise<DocumentDetail> {
  const [row] = await rowsOf(tx, [doc.id], viewer, now);
  if (!row) throw new Error(`document ${doc.id} has no ticket`);
  const held = [doc.bodyFileId, doc.finalFileId, ...doc.attachmentIds].filter((one) => one !== null);
  const files = await fileCards(tx, signer, held, viewer.user);
  const depts = await deptNamesById(tx, [...doc.coDeptIds, ...(doc.leadDeptId === null ? [] : [doc.leadDeptId])]);
  const issuer = doc.issuerId === null ? null : (await peopleById(tx, [doc.issuerId])).get(doc.issuerId);
  const attachments = doc.attachmentIds.flatMap((id) => files.get(id) ?? []);
  const ofTicket = await actionsOn(tx, viewer, doc.ticketId ?? 0);
  const all = [...new Set([...ofTicket.filter((code) => code !== 'urge'), ...row.actions])];
  const archive = await archiveShown(tx, doc, viewer.user, signer);
  const detail: DocumentDetail = {
    ...row,
    actions: archive ? row.actions.filter((code) => readingOnly.includes(code)) : all,
    direction: directionOf(doc, await subordinatesAmong(tx, doc)),
    summary: doc.summary,
    keywords: doc.keywords,
    number_rule_id: doc.numberRuleId,
    redhead_id: doc.redheadId,
    from_number: doc.fromNumber,
    from_copies: doc.fromCopies,
    secret_period: doc.secretPeriod,
    copy_no: doc.copyNo,
    publicity: doc.publicity,
    publicity_reason: doc.publicityReason,
    issue_org: doc.issueOrg,
    joint_orgs: doc.jointOrgs,
    main_send: doc.mainSend,
    copy_send: doc.copySend,
    leader_assigned: doc.leaderAssigned,
    issuer: issuer?.username ?? null,
    issuer_info: issuer ?? null,
    sign_date: doc.signDate,
    body_html: doc.bodyHtml,
    body_file: (doc.bodyFileId !== null && files.get(doc.bodyFileId)) || null,
    attachments,
    attachment_note: noteOf(attachments.map((file) => file.name)),
    annotation: doc.annotation,
    contact_name: doc.contactName,
    contact_phone: doc.contactPhone,
    print_org: doc.printOrg,
    print_date: doc.printDate,
    print_copies: doc.printCopies,
    colophon: isBeingPrinted(doc) ? await colophonOf(tx, doc, dayOf(now)) : null,
    lead_dept: doc.leadDeptId,
    lead_dept_name: depts.get(doc.leadDeptId ?? 0) ?? '',
    co_depts: doc.coDeptIds,
    co_depts_info: doc.coDeptIds.map((id) => ({ id, name: depts.get(id) ?? '' })),
    propose_opinion: doc.proposeOpinion,
    leader_opinion: doc.leaderOpinion,
    handle_result: doc.handleResult,
    reply_to_id: doc.replyToId,
    answer_note: doc.answerNote,
    reply_to_info: await answered(tx, doc, viewer),
    ...(await repliesTo(tx, doc, viewer)),
    body_sha256: doc.bodySha256,
    revision: await revisionOf(tx, doc),
    archive,
    final_file: (doc.finalFileId !== null && files.get(doc.finalFileId)) || null,
    warnings: [
      ...warningsOf(doc),
      ...(await lossWarnings(tx, doc.bodyFileId)),
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
