import { sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { invalid } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { dueBy, isSubmitted, passed, type Turn } from '#modules/workflow/tickets/service.ts';
import { giveCode } from '#modules/platform/verification/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { notIssuable, numberBeforeSigning, numberRuleMissing } from '../contract/refusals.ts';
import { refuseArchived } from '../archive/state.ts';
import { refuseUnread } from '../bodies/known.ts';
import { means } from '../engine/flow.ts';
import { assignedAfter, refuseUnassigned } from '../rules/assigning.ts';
import { dueAfter, faultsOf, refuseMadeWrong } from '../rules/facts.ts';
import { refuseOpenEditor } from '../files/locks.ts';
import { refuseAsking } from '../rules/meaning.ts';
import { refuseWrongLayout } from '../check/checked.ts';
import { filledIn } from '../typeset/colophon.ts';
import { cancelFor } from '#modules/office/stamps/service.ts';
import { giveNumber, receiptNumber, voidNumberOf } from '../numbers/numbers.ts';
import { refuseUnanswered } from '../replies/replies.ts';
import { memo, receiving, sending } from '../rules/rules.ts';
import { refuseSigner, signerAfter } from '../rules/signer.ts';
import { issuedAfter } from '../signing/issuing.ts';
import { freeze, hashOfBody, namedBefore, refuseChanged, refuseOtherSigner, unsign } from '../signing/signing.ts';
import type { Stored } from '../visibility/visibility.ts';
import type { documentTable } from '../tables.ts';

type Changes = Partial<typeof documentTable.$inferInsert>;
const moment = (at: Date) => at.toISOString();
const yearOf = (at: Date) => Number(dayOf(at).slice(0, 4));

/** The columns that an event of the ticket sets; throws if the rules forbid it. `before` is the document before the event. */
export async function turned(tx: Db, row: Stored, { turn }: { turn: Turn }, before: Stored): Promise<Changes> {
  await refuseArchived(tx, before.id);
  await refuseUnanswered(tx, before, turn);
  const hasFiles = before.body_file !== null || before.attachments.length > 0;
  if (hasFiles && turn.by !== null && goesOn(turn)) await refuseOpenEditor(tx, before.id, turn.now);
  const changes: Changes = {
    ...mirrored(before, turn),
    ...assignedAfter(before, turn),
    issuer: await signerAfter(tx, before, turn),
  };
  const told = { ...row, ...changes } as Stored;
  if (told.issuer !== before.issuer && !isSubmitted(turn)) {
    await refuseMadeWrong(tx, before, told);
    await refuseSigner(tx, told, turn.definition);
  }
  Object.assign(changes, await consequences(tx, told, turn));
  refuseUnissuable({ ...told, ...changes } as Stored);
  changes.issued = issuedAfter({ ...told, ...changes } as Stored, turn);
  // Copies that people have were distributed with its 版记.
  if (changes.issued) Object.assign(changes, await printed(tx, { ...told, ...changes } as Stored, turn.now));
  if ('due_at' in changes) await dueBy(tx, turn.ticketId, changes.due_at ?? null);
  return changes;
}

/** True if the ticket leaves its state. */
const goesOn = ({ log }: Turn) => log.some((entry) => entry.to_state_id !== entry.from_state_id);

/** Adds a row of the handling record for every task of a document's ticket. */
export async function keepRecords(tx: Db, documentId: number, taskNos: readonly number[]): Promise<void> {
  if (taskNos.length === 0) return;
  await tx.execute(sql`
    insert into document_record (document_id, task_no)
    select ${documentId}, no from unnest(${sql.param([...taskNos])}::int[]) no
    where not exists (select from document_record r where r.document_id = ${documentId} and r.task_no = no)`);
}

function mirrored(doc: Stored, { state, now }: Turn) {
  const { finished, closed, finishAsked } = actState;
  const atEnd = state.act_state === finished || state.act_state === finishAsked;
  const isClosed = state.act_state === closed;
  return {
    title: state.title,
    finished_at: atEnd || isClosed ? (doc.finished_at ?? moment(now)) : null,
    approved: atEnd || (isClosed && doc.approved),
    is_void: state.voided,
  };
}

/** The effects of a ticket event on the document; throws if the rules forbid it. */
async function consequences(tx: Db, doc: Stored, turn: Turn): Promise<Changes> {
  const { state, now } = turn;
  const changes: Changes = {};
  await refuseUnassigned(tx, doc, turn);
  if (isSubmitted(turn)) {
    await refuseWrong(tx, doc);
    await refuseSigner(tx, doc, turn.definition);
    changes.submitted_at = doc.submitted_at ?? moment(now);
    changes.due_at = await dueAfter(tx, now, doc);
    await giveCode(tx, { module: 'documents', id: doc.id });
    if (doc.doc_kind === receiving && !doc.receipt_no) changes.receipt_no = await receiptNumber(tx, yearOf(now));
  }
  if (doc.body_sha256 !== null && takesSignatureBack(turn)) Object.assign(changes, await unsign(tx, doc));
  const left = passed(turn);
  // The person who hands it on has to confirm doubtful words; an automatic step leaves that to the signature.
  const handedOn = doc.doc_kind !== receiving && left.length > 0 && turn.by !== null;
  if (handedOn) await refuseUnread(tx, doc.body_file);
  if (handedOn && doc.body_sha256 === null) await refuseAsking(tx, doc);
  for (const { holder, ...state } of left) {
    if (means(state, 'sign')) {
      await refuseWrong(tx, doc);
      await refuseOtherSigner(tx, doc, holder);
      await freeze(tx, doc, holder);
      Object.assign(
        changes,
        signed(doc, now),
        doc.issuer === null && doc.doc_kind === sending ? { issuer: holder } : {},
      );
    }
    if (means(state, 'review') || means(state, 'number')) refuseChanged(doc);
    if (means(state, 'number')) changes.doc_number = await numbered(tx, doc, now);
    if (means(state, 'print')) Object.assign(changes, await printed(tx, { ...doc, ...changes } as Stored, now));
  }
  if (state.act_state === actState.finished || state.act_state === actState.finishAsked)
    Object.assign(changes, await printed(tx, { ...doc, ...changes } as Stored, now));
  const withAuthor = state.act_state === actState.returned || state.act_state === actState.withdrawn;
  if (withAuthor) {
    const issuer = doc.body_sha256 === null ? doc.issuer : await namedBefore(tx, doc);
    Object.assign(changes, {
      issuer,
      body_sha256: null,
      sign_date: null,
      due_at: doc.due_asked,
      written_date: ownWrittenDate(doc),
      ...(doc.doc_number === '' ? {} : { print_date: null }),
    });
  }
  if (withAuthor && doc.body_sha256 !== null)
    await cancelFor(tx, { module: 'documents', id: doc.id }, '公文退回修改', { by: turn.by, now });
  const ended = state.deleted ? '公文已删除' : state.voided ? '公文已作废' : '';
  const why = turn.log.findLast((entry) => entry.suggestion !== '')?.suggestion ?? '';
  if (ended) await voidNumberOf(tx, doc.id, [...`${ended}${why && `：${why}`}`].slice(0, 200).join(''), turn.by);
  if (ended || state.act_state === actState.closed)
    await cancelFor(tx, { module: 'documents', id: doc.id }, ended || '公文已关闭', { by: turn.by, now });
  return changes;
}

/** Refuses to send or sign a document that the rules forbid. */
async function refuseWrong(tx: Db, doc: Stored): Promise<void> {
  const errors = await faultsOf(tx, doc);
  if (errors.length > 0) throw invalid(errors);
  if (doc.doc_kind !== receiving) await refuseUnread(tx, doc.body_file);
  await refuseAsking(tx, doc);
  await refuseWrongLayout(tx, doc);
}

/** True if the event took back the decision by which the document had left its signer. */
const takesSignatureBack = ({ definition, log }: Turn): boolean => {
  const signs = (id: number) => definition.states.some((one) => one.id === id && means(one, 'sign'));
  return log.some(
    ({ action, from_state_id, to_state_id }) => action === 'retreat' && !signs(from_state_id) && signs(to_state_id),
  );
};

/** The date that somebody entered; null if it came from a signature, of which only the last counts. */
const ownWrittenDate = ({ written_date, sign_date }: Stored) => (written_date === sign_date ? null : written_date);

function signed(doc: Stored, now: Date): Changes {
  const writtenDate = ownWrittenDate(doc) ?? dayOf(now);
  const tooEarly = doc.print_date !== null && doc.print_date < writtenDate;
  return {
    sign_date: dayOf(now),
    written_date: writtenDate,
    body_sha256: hashOfBody(doc),
    ...(tooEarly ? { print_date: null } : {}),
  };
}

/** Refuses to finish a letter without number, or a memo without signature, whoever moves the ticket. */
function refuseUnissuable({ approved, doc_kind, doc_number, body_sha256 }: Stored): void {
  const lacks =
    doc_kind === sending ? doc_number === '' || body_sha256 === null : doc_kind === memo && body_sha256 === null;
  if (approved && lacks) throw notIssuable(doc_kind === sending ? '签发、编号' : '签发');
}

/** The 版记 of a letter that is printed now; it is not changed afterwards. */
async function printed(tx: Db, doc: Stored, now: Date): Promise<Changes> {
  if (doc.doc_kind !== sending || !doc.doc_number || (doc.print_org && doc.print_date)) return {};
  const { print_org, print_date } = await filledIn(tx, doc, dayOf(now));
  return { print_org, print_date };
}

async function numbered(tx: Db, doc: Stored, now: Date): Promise<string> {
  if (doc.doc_number) return doc.doc_number;
  if (!doc.body_sha256) throw numberBeforeSigning();
  if (doc.number_rule_id === null) throw numberRuleMissing();
  const { id: documentId, number_rule_id: ruleId, reserved_no: reserved } = doc;
  // A letter belongs to the year of its signature, even if it is numbered later.
  const year = Number((doc.sign_date ?? dayOf(now)).slice(0, 4));
  return giveNumber(tx, { ruleId, year, documentId, reserved });
}
