import { invalid, type FieldError } from '#kernel/contract/refusal.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import { isWithAuthor, type Writing } from '#modules/workflow/records/service.ts';
import type { Moved } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { refuseArchived } from '../archive/state.ts';
import type { documents } from '../contract.ts';
import { bodyLocked, notEditable, notWithAuthor, numberStays, paperLocked } from '../contract/refusals.ts';
import { type DocumentFields, fieldTitles, handledKeys, noted, secretLevel } from '../contract/shapes.ts';
import { keepEdit } from '../edits/keeping.ts';
import { editOf } from '../edits/log.ts';
import { keptAsReceived } from '../contract/files/file-refusals.ts';
import { heldPlaces } from '../files/places.ts';
import { settleFiles } from '../files/settling.ts';
import { isReviewed, laidBy } from '../files/writing.ts';
import { linkAnswer } from '../replies/citing.ts';
import { allowsSecret, changeOf, refuseMadeWrong } from '../rules/facts.ts';
import { mean, refuseAsking } from '../rules/meaning.ts';
import { keepsAsReceived, refuseDoubtful, refuseOthersLetters } from '../rules/registering.ts';
import { alwaysWrong, memo } from '../rules/rules.ts';
import { stateName } from '../rules/standing.ts';
import { isGiven } from '../signing/issuing.ts';
import { seal } from '../signing/sealing.ts';
import { finishLater } from '../typeset/final.ts';
import { seenToChange, type Stored } from '../visibility/visibility.ts';
import { docs, type DocumentViewer } from './record.ts';
import { detailOf, isHandling, mayEdit } from './rows.ts';
import { columnsOf } from './writing.ts';

const blank = {
  title: '',
  body_html: '',
  secret_level: secretLevel.none,
  secret_period: '',
  copy_no: '',
  due_asked: null,
  received_date: null,
  written_date: null,
  print_date: null,
};

/** The fields that determine a letter's number, until it is given. */
const numbering = ['number_rule_id', 'reserved_no'] as const;

/** Reads and checks the sent fields against the stored document. */
async function read(
  context: Writing,
  asked: DocumentFields,
  before: Parameters<typeof alwaysWrong>[0] &
    Partial<Pick<Stored, 'act_state' | 'doc_number' | (typeof numbering)[number]>>,
) {
  const { tx, user } = context;
  const columns = await columnsOf(tx, user, asked, before.doc_kind);
  if (before.doc_number) {
    if (numbering.some((key) => asked[key] !== undefined && asked[key] !== before[key]))
      throw numberStays(before.doc_number);
    for (const key of numbering) delete columns[key];
  }
  const own =
    before.doc_kind === memo && (before.act_state === undefined || isWithAuthor({ act_state: before.act_state }));
  const early = own ? noted.filter((key) => asked[key]) : [];
  if (early.length > 0)
    throw invalid(early.map((field) => ({ field, label: fieldTitles[field]!, msg: '由办理的人补录，起草时不填' })));
  const errors: FieldError[] = alwaysWrong({ ...before, ...columns }, { allowSecret: await allowsSecret(tx) });
  if (errors.length > 0) throw invalid(errors);
  return columns;
}

/** Creates a document with its ticket, as a draft or sent. */
export async function createDocument(context: Writing, body: BodyOf<typeof documents.create>): Promise<Moved> {
  const { tx, user } = context;
  const { doc_kind, submit, suggestion, choose, force, ...fields } = body;
  refuseOthersLetters(user, doc_kind);
  const columns = { ...blank, ...(await read(context, fields, { ...blank, doc_kind })), doc_kind };
  return docs.create(context, columns, { submit, suggestion, choose }, async (doc) => {
    if (force) await mean(tx, doc);
    else await refuseDoubtful(tx, doc, null, context.now);
    await settleFiles(tx, context, { before: null, after: doc });
    await linkAnswer(tx, user, null, doc);
    return changeOf(
      { ...doc, act_state: submit ? actState.ongoing : actState.draft },
      { 操作: submit ? '提交' : '保存草稿' },
    );
  });
}

/** Fields that can change during handling; the author or a separate call changes the rest. */
const onItsWay = [
  ...handledKeys,
  'number_rule_id',
  'reserved_no',
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
const onceSigned = [...handledKeys, 'number_rule_id', 'reserved_no', 'redhead_id'].filter(
  (key) => key !== 'written_date',
);

/** Fields printed on a signed document, besides the signed ones. */
const onPaper = ['number_rule_id', 'reserved_no', 'redhead_id', 'print_org', 'print_date'];

/** True if the field can be changed at the document's present stage by the person who has it. */
export function isOpen(doc: Stored, key: string, user: Viewer): boolean {
  if (isGiven(doc) && onPaper.includes(key)) return false;
  if (keepsAsReceived(doc, user) && ['body_html', 'body_file'].includes(key)) return false;
  return isWithAuthor(doc) || (doc.body_sha256 === null ? onItsWay : onceSigned).includes(key);
}

/** Fields that a reviewer may correct after the signature; the document then returns to its signer. */
const inReview = [...onceSigned, 'body_html', 'body_file', 'attachments'];

function refuseFields(doc: Stored, keys: readonly string[], reviewing: boolean): void {
  if (isWithAuthor(doc)) return;
  const open = reviewing ? inReview : onceSigned;
  const locked = doc.body_sha256 !== null && keys.some((key) => !open.includes(key));
  if (locked) throw bodyLocked('正文、附件和主送等内容');
  if (isGiven(doc) && keys.some((key) => onPaper.includes(key))) throw paperLocked();
  const wrong = keys.filter((key) => !onItsWay.includes(key));
  if (wrong.length > 0)
    throw invalid(wrong.map((field) => ({ field, label: '公文', msg: '办理中不能修改这一项，请退回起草人修改' })));
}

/** Changes a document: by its author before sending, by its handler afterwards. */
export async function updateDocument(
  context: Writing,
  id: number,
  { version, force, ...asked }: BodyOf<typeof documents.update>,
): Promise<Moved> {
  const { tx, user } = context;
  const { doc, viewer } = await seenToChange(tx, user, id, '修改公文');
  const handles = isHandling(await docs.ticketActions(tx, viewer, doc));
  await refuseArchived(tx, doc.id);
  if (!mayEdit(doc, user, handles)) throw notEditable(stateName(doc));
  await refuseStale(context, doc, viewer, version);
  refuseFields(doc, Object.keys(asked), await isReviewed(tx, doc));
  const columns = await read(context, asked, doc);
  await refuseNotReceived(context, doc, columns as Partial<Stored>);
  return docs.save(context, doc, columns, {}, async (written) => {
    const edited = await keepWritten(context, doc, written);
    if (!force) await refuseDoubtful(tx, written, doc, context.now);
    if (!isWithAuthor(doc)) await refuseMadeWrong(tx, doc, written);
    await refuseAsking(tx, force ? await mean(tx, written) : written);
    return editOf(written, edited, '修改');
  });
}

/** Changes a document that is with its author and sends it, the first time or again. */
export async function sendAgain(
  context: Writing,
  id: number,
  { version, submit, suggestion, choose, force, ...asked }: BodyOf<typeof documents.again>,
): Promise<Moved> {
  const { tx, user, now } = context;
  const { doc, viewer } = await seenToChange(tx, user, id, '重新提交公文');
  if (!isWithAuthor(doc) || doc.creator_id !== user.id) throw notWithAuthor(stateName(doc));
  await refuseStale(context, doc, viewer, version);
  const columns = await read(context, asked, doc);
  return docs.save(context, doc, columns, { submit, suggestion, choose }, async (written) => {
    const edited = await keepWritten(context, doc, written);
    if (force) await mean(tx, written);
    else await refuseDoubtful(tx, written, doc, now);
    // The log gets the document in the state after sending.
    const sent = submit ? { act_state: actState.ongoing, submitted_at: written.submitted_at ?? now.toISOString() } : {};
    return editOf({ ...written, ...sent }, edited, submit ? '重新提交' : '保存');
  });
}

/** Refuses those who may not change a received letter to change its text, or to remove files other than their own. */
async function refuseNotReceived({ tx, user }: Writing, doc: Stored, asked: Partial<Stored>): Promise<void> {
  if (!keepsAsReceived(doc, user)) return;
  const { body_file = doc.body_file, body_html = doc.body_html, attachments = doc.attachments } = asked;
  const gone = doc.attachments.filter((id) => !attachments.includes(id));
  const own = gone.length > 0 ? await laidBy(tx, doc, user) : new Set();
  const places = gone.length > 0 ? await heldPlaces(tx, doc.id) : [];
  const theirs = gone.every((id) => places.some((place) => place.file_id === id && own.has(place.id)));
  if (body_file !== doc.body_file || body_html !== doc.body_html || !theirs) throw keptAsReceived();
}

async function refuseStale({ tx, now }: Writing, doc: Stored, viewer: DocumentViewer, version?: number) {
  checkVersion('公文', doc, version, version === doc.version ? null : await detailOf(tx, doc, viewer, now));
}

/** Updates everything that depends on a changed document: its seal, files, finished paper, link to the answered one, and former values. */
async function keepWritten(context: Writing, before: Stored, after: Stored) {
  const { tx, user } = context;
  await seal(tx, before, after);
  await settleFiles(tx, context, { before, after });
  await finishLater(tx, after);
  await linkAnswer(tx, user, before.reply_to_id, after);
  return keepEdit(tx, { before, after, user });
}
