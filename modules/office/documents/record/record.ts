import { and, eq, gt, notExists, or, type AnyColumn, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { textOf } from '#kernel/server/text/rich-text.ts';
import { headsOf, peopleById } from '#modules/platform/people/service.ts';
import { heldBy, record, type ApprovalRecord, type RecordViewer } from '#modules/workflow/records/service.ts';
import type { TicketViewer, Withheld } from '#modules/workflow/tickets/service.ts';
import { actState, attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { startOf, stateOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { archiveOf } from '../archive/state.ts';
import {
  archivedAlready,
  onlyIssuerSigns,
  returnStays,
  signatureNotHandedOn,
  urgedElsewhere,
} from '../contract/refusals.ts';
import { docLevel, publicity, secretLevel, WrittenFields } from '../contract/shapes.ts';
import { documentMeaning, givingMeaning, means } from '../engine/flow.ts';
import { nameInNews } from '../rules/facts.ts';
import { receiving } from '../rules/rules.ts';
import { signerField } from '../rules/signer.ts';
import { owesAnswer, unansweredAmong, unansweredTicket, waiting } from '../replies/replies.ts';
import { out, stateName } from '../rules/standing.ts';
import { documentTable } from '../tables.ts';
import { finishLater } from '../typeset/final.ts';
import { signedSinceSent } from '../signing/signing.ts';
import { seal } from '../signing/sealing.ts';
import { toldOutside } from '../visibility/recipient-view.ts';
import { isOffice } from '../visibility/office.ts';
import type { Stored } from '../visibility/visibility.ts';
import { keepRecords, turned } from './events.ts';
import { flow, problemsOf } from './flows.ts';

export interface DocumentViewer extends RecordViewer {
  tickets: TicketViewer;
}
export const recordModule = 'documents';

/** A condition on the id of a document, from another module, that lets a person see it. */
export type Opening = (document: AnyColumn, user: Viewer) => SQL;
/**
 * Withholds actions of the ticket: all of them after archiving; taking back a return that cost the signature; passing the signature to
 * anybody but the named issuer and the people that one adds; and reminders, which the document counts itself.
 */
async function guard(doc: Stored, tx: Db, definition: Definition): Promise<Withheld> {
  const archive = doc.approved ? await archiveOf(tx, doc.id) : null;
  const { issuer } = doc;
  const named = issuer === null ? '' : ((await peopleById(tx, [issuer])).get(issuer)?.alias ?? '');
  const unsigned = doc.act_state === actState.returned && (await signedSinceSent(tx, doc, startOf(definition).id));
  return ({ action, state_id, transition, added }, person) => {
    if (archive) return archivedAlready(archive.archive_no);
    if (unsigned && action === 'retreat') return returnStays();
    if (action === 'urge') return urgedElsewhere();
    const signing = issuer !== null && state_id !== null && means(stateOf(definition, state_id), 'sign');
    if (!signing) return null;
    const signs = !added && transition?.attribute === attributeType.agree && issuer !== person;
    // Only the named issuer can sign; to change the issuer, somebody else is named.
    if (action === 'deliver') return signatureNotHandedOn(named);
    return signs ? onlyIssuerSigns(named) : null;
  };
}

/** Documents: drafted, decided by their ticket, and then visible to recipients. */
export const docs: ApprovalRecord<typeof documentTable, DocumentViewer> = record<typeof documentTable, DocumentViewer>({
  module: recordModule,
  noun: '公文',
  page: (id) => `/document/detail/${id}`,
  table: documentTable,
  scope: 'document/list',
  // A document in review again is hidden from recipients, and so is one given up there.
  related: ({ user }, tx) => {
    const received = or(...tx.services.product.openings.map((opening) => opening(documentTable.id, user)));
    return received && and(out, received);
  },
  recipients: true,
  flow,
  // The issuer, and the heads of the departments that countersign.
  fills: {
    title: ({ title }) => title,
    countersigners: async ({ doc_kind, co_depts }, tx) =>
      doc_kind === receiving ? undefined : (await headsOf(tx, co_depts)).map((person) => person.username),
    issuer: (doc, tx) => (doc.doc_kind === receiving ? undefined : signerField(tx, doc)),
  },
  search: (doc) => ({
    texts: [doc.title, doc.summary, doc.keywords, doc.from_org, textOf(doc.body_html)],
    codes: [doc.doc_number, doc.receipt_no, doc.from_number],
  }),
  long: ['body_html', 'propose_opinion', 'leader_opinion', 'handle_result'],
  content: (tx, doc) =>
    heldBy(
      tx,
      WrittenFields,
      // The requested deadline, because the effective one is set anew with each sending.
      { ...doc, due_at: doc.due_asked },
      {
        people: ['issuer'],
        names: { level: docLevel.names, secret_level: secretLevel.names, publicity: publicity.names },
      },
    ),
  newest: eq(documentTable.is_deleted, false),
  on: { turned },
  after: {
    async turned(tx, doc, { turn }, before) {
      await seal(tx, before, doc);
      await keepRecords(
        tx,
        doc.id,
        turn.state.tasks.map((task) => task.no),
      );
      await finishLater(tx, doc);
    },
  },
  guard,
  log: (doc) => ({
    title: doc.act_state === actState.draft ? '一份公文草稿' : nameInNews(doc),
    state: stateName(doc),
    facts: {},
  }),
  card: (doc, inside) => ({
    title: doc.title,
    ...(doc.doc_number || doc.receipt_no ? { sn: doc.doc_number || doc.receipt_no } : {}),
    state: inside ? stateName(doc) : toldOutside(doc, doc.is_void).act_state_name,
  }),
  named: eq(documentTable.secret_level, secretLevel.none),
  links: {
    async keeps(tx, { from, to, type }) {
      const answer = and(eq(documentTable.id, to.id), eq(documentTable.reply_to_id, from.id));
      return type === 'reply' && from.module === to.module && (await tx.$count(documentTable, answer)) > 0;
    },
    async replaceable(tx, user, id) {
      const doc = await docs.one(tx, id);
      return doc !== undefined && (doc.creator_id === user.id || isOffice(user));
    },
  },
  ticket: {
    meanings: [documentMeaning, givingMeaning],
    problems: problemsOf,
    unsettled: { names: unansweredAmong, where: unansweredTicket },
    async announcementOf(tx, id) {
      const doc = (await docs.one(tx, id))!;
      return {
        unnamed: doc.secret_level > secretLevel.none ? nameInNews(doc) : null,
        level: doc.level,
        unsettled: (await owesAnswer(tx, doc)) ? waiting : null,
      };
    },
    leaves: (tx, ticket) =>
      notExists(
        tx
          .select({ id: documentTable.id })
          .from(documentTable)
          .where(and(eq(documentTable.ticket_id, ticket), gt(documentTable.secret_level, secretLevel.none))),
      ),
  },
});

declare module '#kernel/server/product.ts' {
  interface Product {
    openings: readonly Opening[];
  }
  interface ModuleDefinition {
    /** Further conditions under which people see documents. */
    openings?: readonly Opening[];
  }
}
