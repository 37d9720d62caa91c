import { eq, or, sql } from 'drizzle-orm';
import { moneyText } from '#kernel/contract/money/money.ts';
import { titled } from '#kernel/contract/titles.ts';
import { within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { link } from '#modules/platform/links/service.ts';
import { announce } from '#modules/platform/messages/service.ts';
import {
  flowByKey,
  record,
  type ApprovalRecord,
  type RecordEvent,
  type RecordViewer,
  type RowOf,
} from '#modules/workflow/records/service.ts';
import { refusedName } from '#modules/workflow/workflows/engine/codes.ts';
import { cancelFor } from '#modules/office/stamps/service.ts';
import { giveCode } from '#modules/platform/verification/service.ts';
import { direction, nature, stage, stageName } from '../contract/codes.ts';
import { sealedCopies, signedAlready } from '../contract/refusals.ts';
import { ContractInput } from '../contract/shapes.ts';
import { learnOfSides } from '../parties/known.ts';
import { sidesOf } from '../parties/sides.ts';
import { contractTable } from '../tables.ts';
import { finalOf } from '../texts/final.ts';
import { freezeText } from '../texts/freezing.ts';
import { assess, manageHeads } from './assess.ts';
import { contractFaults } from './faults.ts';
import { registerEvent } from '../register/events.ts';
import { page, partOf } from '../register/part.ts';
import { heldIn } from './held.ts';
import { calledIn, contractNews } from './news.ts';
import { giveNumber, jumpOf, voidNumber } from './numbers.ts';

export type Stored = RowOf<typeof contractTable>;
export const module = 'contracts';
const performancePage = 'contract/performance';
const { drafting, toSign, running } = stage;

/** Actions of its ticket that are withheld after the signature. */
const undoing: readonly string[] = ['revoke', 'close', 'state', 'retreat', 'delete', 'suspend', 'return'];

/** Contracts: approved by a ticket; after the signature, registrations decide. */
export const contracts: ApprovalRecord<typeof contractTable> = record<typeof contractTable, RecordViewer>({
  module,
  noun: '合同',
  page: (id) => `/contract/detail/${id}`,
  table: contractTable,
  scope: page,
  started: { title: 'name', copy: { page, of: (id) => `/contract/list?new=1&copy=${id}` } },
  // The undertaker, handlers of nodes, and those who see the payments of its department.
  related: ({ user }) => {
    const { id, undertaker, keeper, dept_id, sign_date } = contractTable;
    const reads = holds(user, 'Retrieve', performancePage);
    return or(
      eq(undertaker, user.id),
      eq(keeper, user.id),
      sql`exists (select from contract_performance own where own.contract_id = ${id} and own.handler = ${user.id})`,
      reads
        ? sql`(${sign_date} is not null and ${within(scopeOf(user, 'Retrieve', performancePage), dept_id, eq(undertaker, user.id))})`
        : undefined,
    )!;
  },
  flow: flowByKey('contract_approval', '合同'),
  fills: {
    title: (row) => row.name,
    need_legal: async (row, tx) => (await assess(tx, row)).need_legal,
    step: async (row, tx) => (await assess(tx, row)).step,
    pay_direction: (row) => row.pay_direction,
    manage_heads: async (row, tx) => manageHeads(tx, row),
  },
  long: ['content', 'legal_opinion', 'plans'],
  figure: (row) => (row.pay_direction === direction.none ? '' : `${moneyText(row.amount)} 元`),
  content: heldIn,
  search: ({ contract_no, bid_no, archive_no, name, party_words }) => ({
    codes: [contract_no, bid_no, archive_no],
    texts: [name],
    names: [party_words],
  }),
  people: (ids) => sql`${contractTable.undertaker} in ${ids}`,
  faults: contractFaults,
  mirrors: ({ state: { form } }) => ({
    risk_level: typeof form['risk_level'] === 'string' && form['risk_level'] !== '' ? Number(form['risk_level']) : null,
    legal_opinion: typeof form['legal_opinion'] === 'string' ? form['legal_opinion'] : '',
  }),
  on: {
    async submitted(tx, row, { by }) {
      const { need_legal, step, manage_dept } = await assess(tx, row);
      await giveCode(tx, { module, id: row.id });
      return { ...(await freezeText(tx, row, by ?? row.creator_id)), need_legal, step, manage_dept };
    },
    async approved(tx, row, { now }) {
      await learnOfSides(tx, await sidesOf(tx, row.id));
      const contract_no = row.contract_no || (await giveNumber(tx, row, now));
      return { contract_no, stage: toSign, approved_at: now.toISOString(), final_file: await finalOf(tx, row) };
    },
    // Seal and the other side's signature were for a text that is no longer valid.
    reopened: () => ({
      stage: drafting,
      approved_at: null,
      final_file: null,
      stamp_application_id: null,
      copies_total: null,
      party_signed: false,
    }),
    closed: () => ({ stage: stage.void }),
  },
  after: {
    async submitted(tx, row, { by }) {
      const kept = row.nature === nature.supplement && row.parent_id !== null;
      const ends = { from: { module, id: row.parent_id! }, to: { module, id: row.id } };
      if (kept) await link(tx, { ...ends, type: 'supplement', userId: by ?? row.creator_id });
    },
    async approved(tx, row, { by }) {
      const jump = await jumpOf(tx, row.id);
      const content = `${calledIn(row)}已审批通过，编号 ${row.contract_no}${jump && `（${jump}）`}，请办理签订并登记。`;
      await announce(tx, contractNews.CONTRACT_TO_SIGN, row, { content, by }, [row.creator_id, row.undertaker]);
    },
    reopened: (tx, row, event) => getCopiesBack(tx, row, '合同重新审批', event),
    returned: (tx, row, event) => tellAgreed(tx, row, event, '被退回'),
    withdrawn: (tx, row, event) => tellAgreed(tx, row, event, '被起草人撤回'),
    // The people who were told that it was sent back must also hear that it goes on.
    resumed: (tx, row, event) => tellAgreed(tx, row, event, '恢复审批'),
    async closed(tx, row, event) {
      const reason = wordsOf(event);
      await voidNumber(tx, row.id, reason, event.now);
      await getCopiesBack(tx, row, '合同作废', event);
      const from_stage = row.approved_at === null ? drafting : toSign;
      const made = { type: 'void', from_stage, to_stage: stage.void, reason, by: event.by } as const;
      await registerEvent(tx, { contract_id: row.id, ...made });
      await tellAgreed(tx, row, event, '已作废', [row.undertaker]);
    },
  },
  guard: ({ stage: at }) =>
    at >= running ? (offer) => (undoing.includes(offer.action) ? signedAlready() : null) : null,
  log: (row) => ({
    title: row.name,
    sn: row.contract_no,
    facts: titled(ContractInput.omit({ content: true, plans: true, parties: true }), { ...row }),
  }),
  card: (row) => ({
    title: row.name,
    sn: row.contract_no,
    state: row.is_refused ? refusedName : stageName(row.stage),
  }),
  links: {
    async keeps(tx, { from, to, type }) {
      if (type !== 'supplement' || from.module !== module) return false;
      return (await contracts.one(tx, to.id))?.parent_id === from.id;
    },
    async replaceable(tx, user, id) {
      const row = await contracts.one(tx, id);
      const part = row && partOf(row, await contracts.viewerOf(tx, user));
      return part !== undefined && (part.undertaker || part.manager);
    },
  },
  ticket: {
    meanings: [{ key: 'contract', title: '合同', values: { legal: '法务审核', finance: '财务审核', sign: '签批' } }],
  },
});

/** The words given with an event. */
const wordsOf = ({ turn }: RecordEvent): string =>
  turn?.log.map((entry) => entry.suggestion).findLast((words) => words !== '') ?? '';

/** Notifies the approvers of this round that the contract was given up, with the reason. */
async function tellAgreed(tx: Db, row: Stored, event: RecordEvent, what: string, besides: readonly number[] = []) {
  const tasks = event.turn?.state.tasks ?? [];
  const last = Math.max(0, ...tasks.map((task) => task.round));
  const agreed = tasks.filter((task) => task.status === 'agree' && task.round === last).map((task) => task.assignee);
  const reason = wordsOf(event);
  const content = `您同意过的${calledIn(row)}${what}。${reason ? `原因：${reason}` : ''}`;
  const to = [...agreed, ...besides].filter((one) => one !== row.creator_id);
  // Each turn is told of by itself, however soon it follows the last.
  const occasion = `turn ${event.turn?.log.at(-1)?.seq ?? 0}`;
  await announce(tx, contractNews.CONTRACT_CHANGED, row, { content, by: event.by, occasion }, to);
}

/** Requires sealed copies to be returned, even if only some of the seals are on them, before their content becomes invalid. */
async function getCopiesBack(tx: Db, row: Stored, what: string, event: RecordEvent): Promise<void> {
  const copies = await cancelFor(tx, { module, id: row.id }, `${what}：${wordsOf(event)}`, event);
  if (copies > 0) throw sealedCopies(copies);
}
