import { eq } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { invalid, Refusal } from '#kernel/contract/refusal.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import {
  actionsOn,
  approvalsOf,
  sendTicket,
  startFor,
  type CommandContext,
  type Moved,
} from '#modules/tickets/service.ts';
import { refuseArchived } from '../archive/state.ts';
import type { documents } from '../contract.ts';
import type { EditedField } from '../contract/files/edits.ts';
import { bodyLocked, notEditable, notWithAuthor } from '../contract/refusals.ts';
import { handledKeys, type DocumentFields } from '../contract/shapes.ts';
import { allowsSecret, refuseMadeWrong } from '../rules/facts.ts';
import { workflowOf } from './flows.ts';
import { searchOf } from './events.ts';
import { keepEdit } from '../edits/keeping.ts';
import { finishLater } from '../typeset/final.ts';
import { seal } from '../signing/sealing.ts';
import { linkAnswer } from '../replies/citing.ts';
import { detailOf, isHandling, isWithAuthor, mayEdit } from './rows.ts';
import { stateName } from './summaries.ts';
import { mean, refuseAsking } from '../rules/meaning.ts';
import { alwaysWrong, type Written } from '../rules/rules.ts';
import { refuseRecipient, seen, type Stored } from '../visibility/visibility.ts';
import { settleFiles } from '../files/settling.ts';
import { isReviewed } from '../files/writing.ts';
import { columnsOf, ticketFields } from './writing.ts';
import { documentTable } from '../tables.ts';

export const recordModule = 'documents';

const blank: Written = {
  doc_kind: 1,
  doc_type: 99,
  category_id: null,
  title: '',
  from_org: '',
  received_date: null,
  due_asked: null,
  secret_level: 0,
  secret_period: '',
  copy_no: '',
  publicity: null,
  publicity_reason: '',
  issue_org: '',
  main_send: [],
  copy_send: [],
  leader_assigned: false,
  issuer: null,
  body_html: '',
  body_file: null,
  contact_name: '',
  contact_phone: '',
  written_date: null,
  print_date: null,
};

/** Reads and checks what somebody wrote, against the document as it stands. */
async function read(context: CommandContext, asked: DocumentFields, before: Written): Promise<Partial<Stored>> {
  const { tx, user } = context;
  const mayAnswer = (id: number) =>
    seen(tx, user, id).then(
      () => true,
      (stop: unknown) => (stop instanceof Refusal ? false : Promise.reject(stop)),
    );
  const columns = await columnsOf(tx, asked, { docKind: before.doc_kind, mayAnswer });
  const errors = alwaysWrong({ ...before, ...columns }, { allowSecret: await allowsSecret(tx) });
  if (errors.length > 0) throw invalid(errors);
  return columns;
}

/** Writes a new document with its ticket: a draft, or on its way. */
export async function createDocument(context: CommandContext, body: BodyOf<typeof documents.create>): Promise<Moved> {
  const { tx, user } = context;
  const { doc_kind: docKind, submit, suggestion, choose, force, ...fields } = body;
  const columns = await read(context, fields, { ...blank, doc_kind: docKind });
  const [doc] = await tx
    .insert(documentTable)
    .values({ ...columns, title: fields.title, doc_kind: docKind, creator_id: user.id, dept_id: user.depts[0] ?? null })
    .returning();
  if (!doc) throw new Error('the document was not written');
  if (force) await mean(tx, doc);
  await settleFiles(tx, context, { before: null, after: doc });
  await linkAnswer(tx, user, null, doc);
  const workflow_id = await workflowOf(tx, doc);
  const words = { submit, suggestion, choose, fields: await ticketFields(tx, doc) };
  const moved = await startFor(context, { module: recordModule, id: doc.id }, { workflow_id, ...words });
  return { ...moved, id: doc.id };
}

/** While it is on its way; the rest is changed by its author, or by a call of its own. */
const onItsWay = [
  ...handledKeys,
  'number_rule_id',
  'redhead_id',
  'summary',
  'keywords',
  'body_html',
  'body_file',
  'attachments',
  'annotation',
  'main_send',
  'copy_send',
  'publicity',
  'publicity_reason',
];
const onceSigned = [...handledKeys, 'number_rule_id', 'redhead_id'].filter((key) => key !== 'written_date');

/** Whether a field of a document may be changed at all where it stands now, by whoever has it. */
export function isOpen(doc: Stored, key: string): boolean {
  return isWithAuthor(doc) || (doc.body_sha256 === null ? onItsWay : onceSigned).includes(key);
}

/** What a reviewer may put right after the signature; the document goes to its signer again then. */
const inReview = [...onceSigned, 'body_html', 'body_file', 'attachments'];

function refuseFields(doc: Stored, keys: readonly string[], reviewing: boolean): void {
  if (isWithAuthor(doc)) return;
  const open = reviewing ? inReview : onceSigned;
  const locked = doc.body_sha256 !== null && keys.some((key) => !open.includes(key));
  if (locked) throw bodyLocked('正文、附件和主送等内容');
  const wrong = keys.filter((key) => !onItsWay.includes(key));
  if (wrong.length > 0)
    throw invalid(wrong.map((field) => ({ field, label: '公文', msg: '办理中不能修改这一项，请退回起草人修改' })));
}

/** Changes a document: its author's before it goes, the handler's on its way. Answers what was changed, too. */
export async function patchDocument(
  context: CommandContext,
  id: number,
  { version, force, ...asked }: BodyOf<typeof documents.patch>,
): Promise<{ moved: Moved; edited: EditedField[] }> {
  const { tx, user, now } = context;
  const { doc, viewer, ticketId } = await seen(tx, user, id, true);
  await refuseRecipient(tx, viewer, doc, '修改公文');
  const handles = isHandling(await actionsOn(tx, viewer, ticketId));
  await refuseArchived(tx, doc.id);
  if (!mayEdit(doc, user, handles)) throw notEditable(stateName(doc));
  checkVersion('公文', doc, version, version === doc.version ? null : await detailOf(tx, doc, viewer, now));
  refuseFields(doc, Object.keys(asked), await isReviewed(tx, doc));
  const { written, edited } = await write(context, doc, asked);
  if (!isWithAuthor(doc)) await refuseMadeWrong(tx, doc, written);
  await refuseAsking(tx, force ? await mean(tx, written) : written);
  const moved = isWithAuthor(doc)
    ? await sendTicket(context, ticketId, { submit: false, suggestion: '', fields: await ticketFields(tx, written) })
    : null;
  const sn = (await approvalsOf(tx, [ticketId], viewer)).get(ticketId)?.sn ?? '';
  const record = { module: recordModule, id };
  return {
    moved: { ticket_id: ticketId, act_state: doc.act_state, sn, title: written.title, record, ...moved, id },
    edited,
  };
}

/** Changes a document that is with its author and sends it off, for the first time or again. */
export async function sendAgain(
  context: CommandContext,
  id: number,
  { version, submit, suggestion, choose, force, ...asked }: BodyOf<typeof documents.again>,
): Promise<{ moved: Moved; edited: EditedField[] }> {
  const { tx, user, now } = context;
  const { doc, viewer, ticketId } = await seen(tx, user, id, true);
  await refuseRecipient(tx, viewer, doc, '重新提交公文');
  if (!isWithAuthor(doc) || doc.creator_id !== user.id) throw notWithAuthor(stateName(doc));
  checkVersion('公文', doc, version, version === doc.version ? null : await detailOf(tx, doc, viewer, now));
  const { written, edited } = await write(context, doc, asked);
  if (force) await mean(tx, written);
  const words = { submit, suggestion, choose, fields: await ticketFields(tx, written) };
  return { moved: { ...(await sendTicket(context, ticketId, words)), id }, edited };
}

async function write(
  context: CommandContext,
  doc: Stored,
  asked: DocumentFields,
): Promise<{ written: Stored; edited: EditedField[] }> {
  const { tx, user } = context;
  const columns = await read(context, asked, doc);
  const after = { ...doc, ...columns };
  const [written] = await tx
    .update(documentTable)
    .set({ ...columns, search: searchOf(after), ...touched(documentTable) })
    .where(eq(documentTable.id, doc.id))
    .returning();
  if (!written) throw new Error(`document ${doc.id} is missing`);
  await seal(tx, doc, written);
  await settleFiles(tx, context, { before: doc, after: written });
  await finishLater(tx, written);
  await linkAnswer(tx, user, doc.reply_to_id, written);
  return { written, edited: await keepEdit(tx, { before: doc, after: written, user }) };
}
