import type { FieldError } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { fieldTitles, keyOf, type Party } from '../contract/shapes.ts';

const keys = ['main_send', 'copy_send'] as const;
type Sent = Partial<Record<(typeof keys)[number], Party[]>>;

/**
 * The addressees of a document, each once. A department or person is identified by id and printed with its present name, whatever was sent
 * beside the id; a name alone is an outside organisation.
 */
export async function addressees(tx: Db, asked: Sent): Promise<{ sent: Sent; errors: FieldError[] }> {
  const all = keys.flatMap((key) => asked[key] ?? []);
  const idsOf = (type: Party['type']) => all.flatMap((one) => (one.type === type && one.id ? [one.id] : []));
  const depts = await deptNamesById(tx, idsOf('dept'));
  const people = await peopleById(tx, idsOf('user'));
  const errors: FieldError[] = [];
  const sent: Sent = {};
  for (const key of keys) {
    const parties = asked[key]?.map((party) => {
      if (party.type === 'org') return party;
      const known = party.type === 'dept' ? depts.get(party.id ?? 0) : people.get(party.id ?? 0)?.alias;
      if (known !== undefined) return { ...party, name: known };
      const what = party.type === 'dept' ? '部门' : '人员';
      errors.push({
        field: key,
        label: fieldTitles[key]!,
        msg: `${party.id === undefined ? `“${party.name}”不是从${what}中选定的` : `没有${what}“${party.name}”`}，请重新选择`,
      });
      return party;
    });
    if (parties) sent[key] = [...new Map(parties.map((party) => [keyOf(party), party])).values()];
  }
  return { sent, errors };
}
