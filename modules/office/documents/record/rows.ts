import { eq, sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { isBeingApproved, isWithAuthor, type Listed, type RecordCategory } from '#modules/workflow/records/service.ts';
import { lightOf } from '#modules/platform/waits/contract/due.ts';
import { actState, isOverState } from '#modules/workflow/workflows/engine/codes.ts';
import { archiveShown } from '../archive/shown.ts';
import { lossWarnings } from '../bodies/known.ts';
import { docKind, docLevel, docType, type DocumentDetail, type DocumentRow, secretLevel } from '../contract/shapes.ts';
import { sheetOpinions } from '../records/opinions.ts';
import { answered, mayNoteAnswer, outdatedWarnings, repliesTo } from '../replies/citing.ts';
import { unanswered, wantsAnswer } from '../replies/replies.ts';
import { askedIn } from '../rules/meaning.ts';
import { ownAddressees } from '../rules/own-addressees.ts';
import { keepsAsReceived } from '../rules/registering.ts';
import { directionOf, receiving, warningsOf } from '../rules/rules.ts';
import { isOut, isThrough } from '../rules/standing.ts';
import { subordinatesAmong } from '../rules/subordinates.ts';
import { isGiven } from '../signing/issuing.ts';
import { revisionOf } from '../signing/signing.ts';
import { documentCategoryTable, documentTable } from '../tables.ts';
import { colophonOf, isBeingPrinted } from '../typeset/colophon.ts';
import { recipientDetail, recipientRow } from '../visibility/recipient-view.ts';
import { isOffice } from '../visibility/office.ts';
import { collectedBy, type Stored } from '../visibility/visibility.ts';
import { docs, type DocumentViewer } from './record.ts';

/** Actions of the module besides those of the ticket. */
function ownActions(
  doc: Stored,
  { user }: DocumentViewer,
  { handles, collected, unanswered: owes }: { handles: boolean; collected: boolean; unanswered: boolean },
): string[] {
  const open = isBeingApproved(doc);
  return [
    collected ? 'uncollect' : 'collect',
    ...(doc.submitted_at !== null && doc.secret_level === secretLevel.none ? ['qrcode'] : []),
    ...(mayArchive(doc, user) && !owes ? ['archive'] : []),
    ...(mayEdit(doc, user, handles) ? ['edit'] : []),
    ...(mayEdit(doc, user, handles) && doc.doc_kind === receiving && !keepsAsReceived(doc, user)
      ? ['edit_received']
      : []),
    ...(open && mayUrge(doc, user) ? ['urge'] : []),
    ...(open && (handles || isOffice(user))
      ? ['level', ...(doc.doc_kind === receiving ? [doc.due_asked === null ? 'set_due' : 'move_due'] : [])]
      : []),
    ...((wantsAnswer(doc) || owes) && mayNoteAnswer(doc, user) ? ['note_answer'] : []),
    ...(mayBecomePaper(doc) && holds(user, 'Create', 'folder/papers') ? ['adopt'] : []),
    ...(isOut(doc) && holds(user, 'Create', 'document/dist') ? ['distribute'] : []),
  ];
}

const mayBecomePaper = (doc: Stored) => doc.secret_level === secretLevel.none && isThrough(doc);

export const isLeading = (doc: Stored, user: { depts: readonly number[] }) =>
  doc.lead_dept !== null && user.depts.includes(doc.lead_dept);
export const mayUrge = (doc: Stored, user: Viewer) =>
  doc.creator_id === user.id || isOffice(user) || isLeading(doc, user);
/** True for its author while it is with them, and for its handler in review. */
export const mayEdit = (doc: Stored, user: { id: number }, handles: boolean) =>
  isWithAuthor(doc) ? doc.creator_id === user.id : doc.act_state === actState.ongoing && handles;

/** True for the office and an approved document that can be archived; whether it is archived already is checked on its page. */
const mayArchive = (doc: Stored, user: Viewer) =>
  isThrough(doc) && doc.act_state !== actState.finishAsked && doc.secret_level === secretLevel.none && isOffice(user);
/** The actions that remain after archiving. */
const readingOnly: readonly string[] = ['collect', 'uncollect', 'qrcode'];

const deciding = ['approve', 'refuse', 'other', 'add_node_end'];
export const isHandling = (actions: readonly string[]) => actions.some((code) => deciding.includes(code));

/** Documents as list rows for a person; a fixed number of statements. `category` is the one they were found in. */
export async function rowsOf(
  tx: Db,
  found: readonly Listed<Stored>[],
  viewer: DocumentViewer,
  now: Date,
  category?: RecordCategory,
): Promise<DocumentRow[]> {
  if (found.length === 0) return [];
  const { id, category_id, dept_id } = documentTable;
  const beside = await tx
    .select({
      id,
      category_name: sql<string>`coalesce(${documentCategoryTable.name}, '')`,
      dept_name: sql<string>`coalesce((select d.name from dept d where d.id = ${dept_id}), '')`,
      collected: collectedBy(viewer.user),
      unanswered: unanswered(tx),
      // In categories of one's own involvement, all documents are seen from inside.
      inside: category === undefined ? sql<boolean>`${docs.inside(tx, viewer)}` : sql<boolean>`true`,
    })
    .from(documentTable)
    .leftJoin(documentCategoryTable, eq(documentCategoryTable.id, category_id))
    .where(
      isAmong(
        id,
        found.map(({ row }) => row.id),
      ),
    );
  const known = new Map(beside.map((one) => [one.id, one]));
  return found.flatMap(({ row: doc, approval }) => {
    const more = known.get(doc.id);
    if (!more || !approval) return [];
    const row: DocumentRow = {
      ...doc,
      ...approval,
      ...more,
      doc_kind_name: docKind.label(doc.doc_kind),
      doc_type_name: docType.label(doc.doc_type),
      level_name: docLevel.label(doc.level),
      secret_level_name: secretLevel.label(doc.secret_level),
      dept: doc.dept_id,
      creator: approval.creator_info.username,
      light: lightOf(doc.due_at, !isOverState(doc.act_state), now),
      actions: [...approval.actions, ...ownActions(doc, viewer, { ...more, handles: isHandling(approval.actions) })],
    };
    return [more.inside ? row : recipientRow(row)];
  });
}

/** The whole document, with all actions open now. */
export async function detailOf(tx: Db, doc: Stored, viewer: DocumentViewer, now: Date): Promise<DocumentDetail> {
  const approval = (await docs.approvals(tx, viewer, [doc])).get(doc.id) ?? null;
  const [row] = await rowsOf(tx, [{ row: doc, approval }], viewer, now);
  if (!row) throw new Error(`document ${doc.id} has no ticket`);
  const held = [doc.body_file, doc.final_file, ...doc.attachments].filter((one) => one !== null);
  const files = await fileCards(tx, held, viewer.user);
  const depts = await deptNamesById(tx, [...doc.co_depts, ...(doc.lead_dept === null ? [] : [doc.lead_dept])]);
  const addressed = await ownAddressees(tx, doc);
  const issuer = (doc.issuer !== null && (await peopleById(tx, [doc.issuer])).get(doc.issuer)) || null;
  const attachments = doc.attachments.flatMap((id) => files.get(id) ?? []);
  const ofTicket = await docs.ticketActions(tx, viewer, doc);
  const all = [...new Set([...ofTicket.filter((code) => code !== 'urge'), ...row.actions])];
  const archive = await archiveShown(tx, doc, viewer.user);
  const detail: DocumentDetail = {
    ...doc,
    ...row,
    actions: archive ? row.actions.filter((code) => readingOnly.includes(code)) : all,
    direction: directionOf(doc, await subordinatesAmong(tx, doc)),
    issuer: issuer?.username ?? null,
    issuer_info: issuer,
    body_file: files.get(doc.body_file ?? 0) ?? null,
    attachments,
    attachment_note: noteOf(attachments.map((file) => file.name)),
    colophon: isBeingPrinted(doc) && !isGiven(doc) ? await colophonOf(tx, doc, dayOf(now)) : null,
    opinions: await sheetOpinions(tx, doc),
    lead_dept_name: depts.get(doc.lead_dept ?? 0) ?? '',
    co_depts_info: doc.co_depts.map((id) => ({ id, name: depts.get(id) ?? '' })),
    reply_to_info: await answered(tx, doc, viewer),
    ...(await repliesTo(tx, doc, viewer)),
    revision: await revisionOf(tx, doc),
    archive,
    final_file: files.get(doc.final_file ?? 0) ?? null,
    warnings: [
      ...warningsOf(doc, await askedIn(tx, doc)),
      ...(addressed === null ? [] : [`正文里有自己的主送“${addressed}”，与“主送”一并印出就有两行`]),
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
