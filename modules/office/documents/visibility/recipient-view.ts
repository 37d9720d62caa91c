import type { Approval } from '#modules/workflow/tickets/contract/approval.ts';
import { actState, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import { request, type DocumentDetail, type DocumentRow } from '../contract/shapes.ts';
import { sending } from '../rules/rules.ts';
import type { Stored } from './visibility.ts';

// A recipient sees what is printed on the paper and whether it is still valid, like strangers who verify it; nothing about its present
// state, handlers, deadline or outcome inside the house.

export const voided = '已作废';
type Kept = Pick<Stored, 'doc_kind' | 'doc_type'>;
/** An outgoing letter may be issued before its workflow ends; whether a request was answered is not disclosed. */
const done = ({ doc_kind, doc_type }: Kept) =>
  doc_kind === sending ? '已印发' : doc_type === request ? '已登记' : '已办结';

/** The state of an issued document for a recipient. */
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

/** A list row for a recipient. */
export function recipientRow<R extends DocumentRow>(row: R): R {
  const stands = toldOutside(row, row.act_state_name === voided);
  return { ...row, ...noWay, ...stands, gmt_modified: row.gmt_created, inside: false };
}

/** The detail for a recipient. */
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
