import { and, asc, eq, inArray } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { capitals } from '#kernel/contract/money/capitals.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import type { RecordViewer } from '#modules/workflow/records/service.ts';
import { stateFor } from '#modules/office/stamps/service.ts';
import { nature, stage } from '../contract/codes.ts';
import { textMode } from '../contract/texts.ts';
import { sidesOf } from '../parties/sides.ts';
import { performancesOf, entriesOf } from '../performing/rows.ts';
import { openDisputesOf } from '../register/disputes.ts';
import { partOf } from '../register/part.ts';
import { registrableBy } from '../engine/registering.ts';
import { contractTable, contractTermTable } from '../tables.ts';
import { templateVersion } from '../texts/freezing.ts';
import { assess, splitWith } from './assess.ts';
import { takenOf } from './faults.ts';
import { contracts, module, type Stored } from './record.ts';

/** The fields of a contract's page beside its row. */
export async function contractDetail(tx: Db, row: Stored, viewer: RecordViewer, now: Date) {
  const { user } = viewer;
  const stored = await sidesOf(tx, row.id);
  const parties = stored.map(({ bank_name: _bank, bank_account: _account, ...side }) => side);
  const fileIds = [...row.attachments, ...[row.file, row.signed_file, row.packed_file].flatMap((one) => one ?? [])];
  const cards = await fileCards(tx, fileIds, user);
  const card = (id: number | null) => (id === null ? null : (cards.get(id) ?? null));
  const part = partOf(row, viewer);
  const from = row.template_version_id === null ? undefined : await templateVersion(tx, row.template_version_id);
  const undecided = row.stage === stage.drafting;
  const known = undecided ? await assess(tx, row) : null;
  const registrable = registrableBy(row, part);
  return {
    parties,
    has_bank: stored.some((side) => side.bank_account !== ''),
    amount_upper: capitals(row.amount),
    parent: row.parent_id === null ? null : ((await named(tx, viewer, eq(contractTable.id, row.parent_id)))[0] ?? null),
    children: await named(tx, viewer, eq(contractTable.parent_id, row.id)),
    cap_used: row.nature === nature.framework ? await takenOf(tx, row.id) : 0,
    manage_dept_name: await deptName(tx, row.manage_dept ?? known?.manage_dept ?? null),
    template_name: from ? `${from.name} 第 ${from.no} 版` : '',
    variables: row.text_mode === textMode.template ? (from?.variables ?? []) : [],
    need_legal: known?.need_legal ?? row.need_legal,
    legal_reason: known?.why ?? '',
    file_info: card(row.file),
    attachments_info: row.attachments.flatMap((one) => cards.get(one) ?? []),
    signed_file_info: card(row.signed_file),
    packed_file_info: card(row.packed_file),
    sealed_at:
      row.stamp_application_id === null
        ? null
        : ((await stateFor(tx, module, [row.id])).get(row.id)?.sealed_at ?? null),
    keeper_alias: row.keeper === null ? '' : ((await peopleById(tx, [row.keeper])).get(row.keeper)?.alias ?? ''),
    terms: await tx
      .select()
      .from(contractTermTable)
      .where(eq(contractTermTable.contract_id, row.id))
      .orderBy(asc(contractTermTable.no)),
    performance: await performancesOf(tx, row, viewer, dayOf(now)),
    entries: await entriesOf(tx, row, part, { viewer: user, now }),
    alike: undecided ? await alikeTo(tx, row, viewer, stored) : null,
    registrable,
    disputes: await openDisputesOf(tx, row),
  };
}

const named = (tx: Db, viewer: RecordViewer, where: ReturnType<typeof eq>) =>
  tx
    .select({
      id: contractTable.id,
      name: contractTable.name,
      contract_no: contractTable.contract_no,
      stage: contractTable.stage,
      nature: contractTable.nature,
    })
    .from(contractTable)
    .where(and(where, contracts.visible(tx, viewer)))
    .orderBy(asc(contractTable.id))
    .limit(100);

const deptName = async (tx: Db, id: number | null): Promise<string> =>
  id === null ? '' : ((await deptNamesById(tx, [id])).get(id) ?? '');

/** The possible pieces of a split contract; those hidden from the viewer with their amount only. */
async function alikeTo(tx: Db, row: Stored, viewer: RecordViewer, sides: readonly { party_id: number }[]) {
  const split = await splitWith(
    tx,
    row,
    sides.map((side) => side.party_id),
  );
  if (!split) return null;
  const ids = split.rows.map((one) => one.id);
  const seen = new Set(
    (await named(tx, viewer, inArray(contractTable.id, ids) as ReturnType<typeof eq>)).map((one) => one.id),
  );
  const rows = split.rows.map(({ id, name, contract_no, amount, amount_cap }) =>
    seen.has(id)
      ? { id, name, contract_no, amount: amount_cap ?? amount }
      : { id: null, name: '', contract_no: '', amount: amount_cap ?? amount },
  );
  return { ...split, rows };
}
