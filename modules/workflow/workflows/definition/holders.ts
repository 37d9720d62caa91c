import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { roleByCode } from '#modules/platform/access/service.ts';
import { calledBy, deptNames, deptsBelow, peopleById, peopleByName } from '#modules/platform/people/service.ts';
import type { z } from 'zod';
import { unknownHolder } from '../contract/refusals.ts';
import type { GrantInput, GrantRow } from '../contract/design.ts';
import { workflowGrantTable } from '../tables.ts';

type Given = z.output<typeof GrantInput>;

/** Grants of a workflow with their holders' names. */
export async function grantRows(tx: Db, workflowId: number): Promise<z.output<typeof GrantRow>[]> {
  const rows = await tx
    .select()
    .from(workflowGrantTable)
    .where(eq(workflowGrantTable.workflow_id, workflowId))
    .orderBy(workflowGrantTable.permission, workflowGrantTable.id);
  const users = rows.filter((row) => row.holder_type === 'user').map((row) => Number(row.holder));
  const people = await peopleById(tx, users);
  return Promise.all(
    rows.map(async ({ permission, holder_type, holder }) => {
      if (holder_type === 'user') {
        const person = people.get(Number(holder));
        return { permission, holder_type, holder: person?.username ?? holder, holder_name: person?.alias ?? '' };
      }
      const name =
        holder_type === 'dept' ? (await deptNames(tx, [Number(holder)]))[0] : (await roleByCode(tx, holder))?.name;
      return { permission, holder_type, holder, holder_name: name ?? '' };
    }),
  );
}

/** Replaces the grants of a workflow. Each must name a current person, an existing department or an existing role. */
export async function saveGrants(tx: Db, workflowId: number, given: readonly Given[]): Promise<void> {
  const named = given.filter((grant) => grant.holder_type === 'user').map((grant) => grant.holder);
  const people = await peopleByName(tx, named);
  const rows: (typeof workflowGrantTable.$inferInsert)[] = [];
  for (const { permission, holder_type, holder } of given) {
    rows.push({
      workflow_id: workflowId,
      permission,
      holder_type,
      holder: await keptHolder(tx, people, holder_type, holder),
    });
  }
  await tx.delete(workflowGrantTable).where(eq(workflowGrantTable.workflow_id, workflowId));
  if (rows.length > 0) await tx.insert(workflowGrantTable).values(rows).onConflictDoNothing();
}

async function keptHolder(
  tx: Db,
  people: ReadonlyMap<string, { id: number }>,
  type: Given['holder_type'],
  holder: string,
): Promise<string> {
  switch (type) {
    case 'user': {
      const person = people.get(holder);
      if (!person) throw unknownHolder(`用户“${(await calledBy(tx, [holder]))[0]}”`);
      return String(person.id);
    }
    case 'dept': {
      const id = /^[1-9]\d{0,8}$/.test(holder) ? Number(holder) : 0;
      if (!(await deptsBelow(tx, [id])).includes(id)) throw unknownHolder(`部门 ${holder} `);
      return String(id);
    }
    case 'role': {
      if (!(await roleByCode(tx, holder))) throw unknownHolder(`角色“${holder}”`);
      return holder;
    }
  }
}
