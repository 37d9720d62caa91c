import { eq, inArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { heldBy, type RowOf } from '#modules/workflow/records/service.ts';
import { direction, disputeKind, nature, purchaseMode, renewal } from '../contract/codes.ts';
import { ContractInput } from '../contract/shapes.ts';
import { textMode } from '../contract/texts.ts';
import { sidesOf } from '../parties/sides.ts';
import { contractCategoryTable, contractTable } from '../tables.ts';

/** The facts of a contract, with its other sides. */
export async function heldIn(tx: Db, row: RowOf<typeof contractTable>) {
  const { id, name } = contractCategoryTable;
  const [category] = await tx.select({ name }).from(contractCategoryTable).where(eq(id, row.category_id));
  const above = await tx
    .select({ id: contractTable.id, name: contractTable.name })
    .from(contractTable)
    .where(inArray(contractTable.id, row.parent_id === null ? [] : [row.parent_id]));
  const parties = (await sidesOf(tx, row.id)).map(({ id: _id, contract_id: _contract, ...side }) => side);
  return heldBy(
    tx,
    ContractInput,
    { ...row, parties },
    {
      people: ['undertaker'],
      depts: ['dept_id'],
      names: {
        category_id: { [row.category_id]: category!.name },
        parent_id: new Map(above.map((one) => [one.id, one.name])),
        nature: nature.names,
        pay_direction: direction.names,
        purchase_mode: purchaseMode.names,
        renewal: renewal.names,
        dispute: disputeKind.names,
        text_mode: textMode.names,
      },
    },
  );
}
