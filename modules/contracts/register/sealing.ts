import type { Stampable } from '#modules/stamps/service.ts';
import { direction, stage } from '../contract/codes.ts';
import { sidesOf } from '../parties/sides.ts';
import { rulesOf } from '../record/assess.ts';
import { contracts } from '../record/record.ts';
import { partOf } from './part.ts';

/** Kind of file, as applications for seals number them. */
const contract = 2;
/** As many as are signed mostly; whoever applies says how many. */
const usual = 4;

/** An approved contract is sealed as its text was frozen, asked for by whoever undertakes or looks after it. */
export const sealedContracts: Stampable = {
  async offer(tx, viewer, id) {
    const seeing = await contracts.viewerOf(tx, viewer);
    const row = await contracts.find(tx, seeing, id);
    if (row?.stage !== stage.toSign || row.final_file === null) return null;
    const part = partOf(row, seeing);
    if (!part.undertaker && !part.manager) return null;
    if ((await rulesOf(tx)).need_party_first && !row.party_signed) return null;
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
  async sealed(tx, id, { application_id, copies, whole }) {
    const row = whole ? await contracts.one(tx, id) : undefined;
    if (row?.stage === stage.toSign)
      await contracts.set(tx, row, { stamp_application_id: application_id, copies_total: copies });
  },
  // The page shows it: whoever applied asks anew.
  dropped: () => Promise.resolve(),
};
