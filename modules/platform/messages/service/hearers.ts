import type { Db } from '#kernel/server/db/db.ts';
import { headsOf, holdersOf, partsOf, type DeptPart } from '#modules/platform/people/service.ts';

/** Recipients: a person, the holders of a role, people with a function in a department, or its approvers (`head`); null is nobody. */
export type Hearer =
  | number
  | null
  | { readonly role: string }
  | { readonly dept: number | null; readonly part: DeptPart | 'head' };

/** The recipients, each once. */
export async function hearersIn(tx: Db, hearers: readonly Hearer[]): Promise<number[]> {
  const each = await Promise.all(
    hearers.map(async (one) => {
      if (one === null) return [];
      if (typeof one === 'number') return [one];
      if ('role' in one) return idsOf(await holdersOf(tx, one.role));
      if (one.dept === null) return [];
      return idsOf(await (one.part === 'head' ? headsOf(tx, [one.dept]) : partsOf(tx, [one.dept], one.part)));
    }),
  );
  return [...new Set(each.flat())];
}

const idsOf = (people: readonly { id: number }[]) => people.map(({ id }) => id);
