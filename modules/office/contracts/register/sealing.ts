import type { Stampable } from '#modules/office/stamps/service.ts';
import { direction, stage } from '../contract/codes.ts';
import { sidesOf } from '../parties/sides.ts';
import { rulesOf } from '../record/assess.ts';
import { contracts } from '../record/record.ts';
import { partOf } from './part.ts';

/** The kind of file in applications for seals. */
const contract = 2;
/** The default number of copies; the applicant may change it. */
const usual = 4;
/** Includes signed contracts, because a contract may be signed before the desk gets to its application. */
const standing: readonly number[] = [stage.toSign, stage.running];

/** Seals an approved contract with its frozen text; its undertaker or a manager applies. */
export const sealedContracts: Stampable = {
  async approved(tx, id) {
    const row = await contracts.one(tx, id);
    if (!row || !standing.includes(row.stage) || row.final_file === null) return null;
    const sides = await sidesOf(tx, id);
    return {
      title: `${row.contract_no} ${row.name}`.slice(0, 100),
      files: [row.final_file],
      kind: contract,
      copies: row.copies_total ?? usual,
      amount: row.pay_direction === direction.none ? null : row.amount,
      parties: sides.map((side) => side.name),
      approved: true,
    };
  },
  async mayAsk(tx, viewer, id) {
    const seeing = await contracts.viewerOf(tx, viewer);
    const row = await contracts.find(tx, seeing, id);
    if (row?.stage !== stage.toSign) return false;
    const part = partOf(row, seeing);
    if (!part.undertaker && !part.manager) return false;
    return row.party_signed || !(await rulesOf(tx)).need_party_first;
  },
  async sealed(tx, id, { application_id, copies, whole }) {
    const row = whole ? await contracts.one(tx, id) : undefined;
    if (row?.stage === stage.toSign)
      await contracts.set(tx, row, { stamp_application_id: application_id, copies_total: copies });
  },
  // Its page shows it, and the applicant may apply again.
  dropped: () => Promise.resolve(),
};
