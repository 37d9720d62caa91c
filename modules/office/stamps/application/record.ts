import { and, eq, ne, or, sql, type SQL } from 'drizzle-orm';
import { imageKinds, officeKinds } from '#kernel/contract/upload.ts';
import { titled } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { headsOf } from '#modules/platform/people/service.ts';
import { record, type ApprovalRecord, type RowOf } from '#modules/workflow/records/service.ts';
import { giveCode } from '#modules/platform/verification/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { workflowByKey } from '#modules/workflow/workflows/service.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { ApplicationInput } from '../contract/application.ts';
import { lineState, usageType } from '../contract/codes.ts';
import { stampRules } from '../contract/oversight.ts';
import { lineElsewhere, severalFlows } from '../contract/refusals.ts';
import { keptBy, ofSeals } from '../custody/keeper.ts';
import { announceReady } from '../desk/news.ts';
import { offerTo } from '../sources/offer.ts';
import { ownedBy } from '../seals/visibility.ts';
import { stampable } from '../sources/stampable.ts';
import { applicationTable, lineTable } from '../tables/application.ts';
import { stampTable } from '../tables/seals.ts';
import { faultsOf } from './faults.ts';
import { linesOf, setLines, settle } from './lines.ts';
import { confirmReserved, reserve, unreserve } from './reserve.ts';

export type Stored = RowOf<typeof applicationTable>;
export const module = 'stamps';
const { waiting, ready, void: voided } = lineState;
const a = applicationTable;

/** Applications with a line that meets all conditions. */
export const withLine = (...which: (SQL | undefined)[]): SQL =>
  sql`exists (select from stamp_line where ${and(eq(lineTable.application_id, a.id), ...which)})`;
/** The same within an `or`: as a subquery it uses an index, where `exists` would read all lines first. */
export const hasLine = (which: SQL): SQL =>
  sql`(select true from stamp_line where ${and(eq(lineTable.application_id, a.id), which)} limit 1)`;
const ownFlow = (tx: Db) => workflowByKey(tx, 'stamp_application');
/** Kinds of file that need a legal review. */
const legal: readonly number[] = [2, 3, 6];
/** Types of seal that need the leader in charge. */
const heavy: readonly number[] = [1, 2, 3, 4, 5];

async function ownerHeads(tx: Db, row: Stored): Promise<string[]> {
  const depts = (await linesOf(tx, [row.id])).map((line) => line.stamp_dept);
  const heads: string[] = [];
  for (const dept of new Set(depts)) heads.push(...(await headsOf(tx, [dept])).map((person) => person.username));
  return [...new Set(heads)];
}

/** Applications: visible to the applicant, and to keepers, supervisors and owning departments of the seals. */
export const applications: ApprovalRecord<typeof applicationTable> = record<typeof applicationTable>({
  module,
  noun: '用印申请',
  page: (id) => `/stamp/detail/${id}`,
  table: applicationTable,
  scope: 'stamp/application',
  related: ({ user }) =>
    and(
      ne(a.act_state, actState.draft),
      or(
        eq(a.operator_id, user.id),
        eq(a.escort_id, user.id),
        hasLine(ofSeals(or(keptBy(user.id), eq(stampTable.supervisor_id, user.id), ownedBy(user.id))!)),
      ),
    ),
  flow: {
    async of(tx, row) {
      const flows = new Set((await linesOf(tx, [row.id])).map((line) => line.workflow_id));
      if (flows.size > 1) throw severalFlows();
      return [...flows][0] ?? ownFlow(tx);
    },
    async uses(tx, flow) {
      const own = await tx
        .select({ name: stampTable.name })
        .from(stampTable)
        .where(eq(stampTable.workflow_id, flow.id));
      return [...(flow.key === 'stamp_application' ? ['用印申请'] : []), ...own.map(({ name }) => `印章“${name}”`)];
    },
  },
  fills: {
    title: (row) => row.title,
    owner_heads: (row, tx) => ownerHeads(tx, row),
    needs_legal: async (row, tx) => legal.includes(row.file_kind) && !(await offerTo(tx, row))?.approved,
    heavy: async (row, tx) => (await linesOf(tx, [row.id])).some((line) => heavy.includes(line.stamp_type)),
    leader_step: async (row, tx) =>
      row.use_type === usageType.out || (row.amount ?? 0) >= (await readRules(tx, stampRules)).value.leader_amount,
  },
  search: (row) => ({ codes: [], texts: [row.title, row.reason, row.receiver] }),
  people: (ids) => sql`${applicationTable.operator_id} in ${ids}`,
  faults: faultsOf,
  after: {
    async submitted(tx, row, { now }) {
      await giveCode(tx, { module, id: row.id });
      await setLines(
        tx,
        (await linesOf(tx, [row.id])).map((line) => line.id),
        { state: waiting, reason: '' },
      );
      await reserve(tx, row, await linesOf(tx, [row.id]), now);
    },
    async approved(tx, row, { by, now }) {
      const lines = (await linesOf(tx, [row.id])).filter((line) => line.state === waiting);
      await confirmReserved(tx, row, lines);
      await setLines(
        tx,
        lines.map((line) => line.id),
        { state: ready },
      );
      await announceReady(tx, row, lines, { by, now });
      await settle(tx, row.id, now);
    },
    returned: (tx, row) => giveBack(tx, row),
    withdrawn: (tx, row) => giveBack(tx, row),
    reopened: (tx, row) => giveBack(tx, row),
    // Withdrawn from a return, or moved back by an administrator: its time is reserved again, or it cannot go on.
    resumed: async (tx, row, { now }) => reserve(tx, row, await linesOf(tx, [row.id]), now),
    closed: (tx, row) => giveBack(tx, row, '审批已关闭'),
    deleted: (tx, row) => giveBack(tx, row),
  },
  async guard(row, tx) {
    const lines = await linesOf(tx, [row.id]);
    const moved = lines.find((line) => ![waiting, ready, voided].includes(line.state as 0) || line.pending !== null);
    return moved ? lineElsewhere(moved.stamp_name, moved.pending ? '待监印' : lineState.label(moved.state)) : null;
  },
  log: (row) => ({ title: row.title, facts: titled(ApplicationInput, { ...row }) }),
});

async function giveBack(tx: Db, row: Stored, why?: string): Promise<void> {
  // Lines voided earlier keep their own reason.
  const lines = (await linesOf(tx, [row.id])).filter((line) => why === undefined || line.state !== voided);
  await unreserve(tx, lines);
  await setLines(
    tx,
    lines.map((line) => line.id),
    why === undefined ? { state: waiting, reason: '' } : { state: voided, reason: why },
  );
  if (row.act_state !== actState.draft && row.source_id !== null)
    await stampable(tx, row.source_module)?.dropped(tx, row.source_id);
}

// Files to be sealed are shown as approved; pictures are redrawn.
export const owners = {
  [module]: { ...applications.brings.owners[module]!, kinds: [...imageKinds, 'pdf', ...officeKinds] as const },
};
