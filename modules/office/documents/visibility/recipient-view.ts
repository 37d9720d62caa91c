import type { Approval } from '#modules/workflow/tickets/contract/approval.ts';
import { actState, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import { request, type DocumentDetail, type DocumentRow } from '../contract/shapes.ts';
import { sending } from '../rules/rules.ts';
import type { Stored } from './visibility.ts';

// Whoever a document was only given to is told what stands on its paper, and whether it still holds: what strangers who verify
// the paper are told. Nothing of where it is now, whom it waits for, when it is due, or what became of it in the house.

export const voided = '已作废';
type Kept = Pick<Stored, 'doc_kind' | 'doc_type'>;
/** A letter of the house may be out before its flow has come to its end; whether a request was answered is nobody's to be told. */
const done = ({ doc_kind, doc_type }: Kept) =>
  doc_kind === sending ? '已印发' : doc_type === request ? '已登记' : '已办结';

/** How a document that is out stands, to whoever was only given it. */
export const toldOutside = (doc: Kept, isVoid: boolean): Pick<Approval, 'act_state' | 'act_state_name'> =>
  isVoid
    ? { act_state: actState.closed, act_state_name: voided }
    : { act_state: actState.finished, act_state_name: done(doc) };

const nobody = {
  participant_type_id: participantType.none,
  participant_type_name: '无',
  participant: '',
  participant_name: '',
  participant_alias: '',
};
const noWay = {
  ticket_id: 0,
  workflow_id: 0,
  state_id: 0,
  state_name: '',
  participant_info: nobody,
  since: null,
  round: 0,
  news: false,
  on_behalf_of: '',
  submitted_at: null,
  finished_at: null,
  due_at: null,
  light: 0,
  unanswered: false,
} satisfies Partial<DocumentRow> & Omit<Approval, 'sn' | 'act_state' | 'act_state_name' | 'gmt_modified' | 'actions'>;

/** A row as it is shown to whoever was only given the document. */
export function recipientRow<R extends DocumentRow>(row: R): R {
  const stands = toldOutside(row, row.act_state_name === voided);
  return { ...row, ...noWay, ...stands, gmt_modified: row.gmt_created, inside: false };
}

/** The same of the whole document. */
export function recipientDetail(detail: DocumentDetail): DocumentDetail {
  return {
    ...recipientRow(detail),
    leader_assigned: false,
    lead_dept: null,
    lead_dept_name: '',
    co_depts: [],
    co_depts_info: [],
    propose_opinion: '',
    leader_opinion: '',
    handle_result: '',
    opinions: { propose: '', decide: '', carry: '', countersign: '' },
    answer_note: '',
    reply_to_id: detail.reply_to_info?.id ?? null,
    revision: null,
    archive: null,
    warnings: [],
  };
}
