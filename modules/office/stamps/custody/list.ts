import { and, desc, eq, inArray, or, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { QueryOf } from '#kernel/contract/call.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import type { Waits } from '#modules/platform/waits/service.ts';
import type { Custody, custodyCalls } from '../contract/custody.ts';
import { custodyState } from '../contract/seal-codes.ts';
import { stampNames } from '../seals/list.ts';
import { sees } from '../seals/visibility.ts';
import { pictureTable } from '../tables/ledger.ts';
import { custodyTable } from '../tables/seals.ts';
import { concerns } from './answer.ts';
import { signPath } from '../notify.ts';

const mostEvents = 300;
const signedBy = (person: number) => sql`${custodyTable.signed} @> ${JSON.stringify([{ user_id: person }])}::jsonb`;

/** The custody chain of a seal, the latest first; or the open events that concern a person. */
export async function listCustody(
  tx: Db,
  viewer: Viewer,
  { stamp_id, mine }: QueryOf<typeof custodyCalls.custody>,
): Promise<Custody[]> {
  if (stamp_id && !mine && !(await sees(tx, viewer, stamp_id))) throw absent('印章');
  const open = and(eq(custodyTable.state, custodyState.asked), concerns(viewer.id));
  const found = await tx
    .select()
    .from(custodyTable)
    .where(and(stamp_id ? eq(custodyTable.stamp_id, stamp_id) : undefined, mine || !stamp_id ? open : undefined))
    .orderBy(desc(custodyTable.id))
    .limit(mostEvents);
  const of = found.map((row) => row.id);
  const pictures =
    of.length === 0 ? [] : await tx.select().from(pictureTable).where(inArray(pictureTable.custody_id, of)).limit(1000);
  const cards = await fileCards(
    tx,
    pictures.map((one) => one.file_id),
    viewer,
  );
  const people = await peopleById(
    tx,
    found.flatMap((row) => [
      row.creator_id,
      ...[row.from_id, row.to_id].filter((one) => one !== null),
      ...row.witness_ids,
      ...row.signed.map((one) => one.user_id),
    ]),
  );
  const names = await stampNames(
    tx,
    found.map((row) => row.stamp_id),
  );
  return found.map((row) => {
    const waits = row.state === custodyState.asked && !row.signed.some((one) => one.user_id === viewer.id);
    const actions = [
      ...(waits && row.to_id === viewer.id ? ['accept', 'decline'] : []),
      ...(waits && row.witness_ids.includes(viewer.id) ? ['witness', 'decline'] : []),
      ...(row.state === custodyState.asked && row.creator_id === viewer.id ? ['withdraw'] : []),
    ];
    return {
      ...row,
      stamp_name: names.get(row.stamp_id) ?? '',
      from_info: people.get(row.from_id ?? 0) ?? null,
      to_info: people.get(row.to_id ?? 0) ?? null,
      creator_info: people.get(row.creator_id)!,
      witnesses: row.witness_ids.flatMap((one) => people.get(one) ?? []),
      signed: row.signed.map((one) => ({ alias: people.get(one.user_id)?.alias ?? '', at: one.at })),
      pictures: pictures.flatMap((one) => (one.custody_id === row.id ? (cards.get(one.file_id) ?? []) : [])),
      actions,
    };
  });
}

const toSign = (person: number) =>
  and(
    eq(custodyTable.state, custodyState.asked),
    or(eq(custodyTable.to_id, person), sql`${person}::int = any(${custodyTable.witness_ids})`),
    sql`not ${signedBy(person)}`,
  );
/** Custody events that somebody has to sign. */
export const custodyWaits: Waits = {
  key: 'seal-custody',
  page: 'stamp/list',
  path: signPath,
  title: '印章签收',
  mine: async (_tx, viewer) => sql`
    select ${custodyTable.id}, (select s.name from stamp s where s.id = ${custodyTable.stamp_id}), null::timestamptz, null::text, ${custodyTable.gmt_created}, ${custodyTable.creator_id}
    from stamp_custody where ${toSign(viewer.id)}`,
  everybodys: async () => sql`
    select p.id, null::timestamptz from stamp_custody c cross join lateral unnest(array_append(c.witness_ids, c.to_id)) p(id)
    where c.state = ${inSql(custodyState.asked)} and p.id is not null and not c.signed @> jsonb_build_array(jsonb_build_object('user_id', p.id))`,
  linkOf: () => signPath,
};
