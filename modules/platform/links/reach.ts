import { and, desc, eq, or, sql } from 'drizzle-orm';
import { absent, forbidden } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { notReplaceable, type LinkedCard, type LinkType } from './contract.ts';
import { linkModule, type Card, type Ref } from './service.ts';
import { linkTable } from './tables.ts';

export type Linked = typeof linkTable.$inferSelect;
export const keyOf = ({ module, id }: Ref) => `${module}:${id}`;
export const endsOf = (link: Linked): [Ref, Ref] => [
  { module: link.from_module, id: link.from_id },
  { module: link.to_module, id: link.to_id },
];

const cardOf = (module: string, name: string, card: Card): LinkedCard => ({ ...card, module, module_name: name });

/** Those of some records that a person sees, by key; one or two statements per module. */
export async function seenAmong(tx: Db, viewer: Viewer, refs: readonly Ref[]): Promise<Map<string, LinkedCard>> {
  const found = new Map<string, LinkedCard>();
  for (const [name, all] of Map.groupBy(refs, (ref) => ref.module)) {
    const module = linkModule(tx, name);
    if (!module) continue;
    const cards = await module.seen(tx, viewer, [...new Set(all.map((ref) => ref.id))]);
    for (const card of cards.values()) found.set(keyOf({ module: name, id: card.id }), cardOf(name, module.name, card));
  }
  return found;
}

/** A record the person sees; any other is reported as absent. */
export async function seenOne(tx: Db, viewer: Viewer, ref: Ref): Promise<LinkedCard> {
  const card = (await seenAmong(tx, viewer, [ref])).get(keyOf(ref));
  if (!card) throw absent(linkModule(tx, ref.module)?.name ?? '该事项');
  return card;
}

/** Throws `forbidden` if the person may not link one of some visible records, for example one they only received. */
export async function refuseUnchangeable(tx: Db, viewer: Viewer, refs: readonly Ref[]): Promise<void> {
  for (const { module, id } of refs) {
    const changeable = await linkModule(tx, module)?.changeable?.(tx, viewer, [id]);
    if (changeable && !changeable.includes(id)) throw forbidden('更改该事项的关联');
  }
}

/** Throws `notReplaceable` if a link would state or revoke that a record was replaced, and this person may not decide that. */
export async function refuseReplacing(tx: Db, viewer: Viewer, type: LinkType, to: Ref & { title: string }) {
  if (type !== 'supersede') return;
  if ((await linkModule(tx, to.module)?.replaceable?.(tx, viewer, to.id)) === false) throw notReplaceable(to.title);
}

/** Links of some records, the newest first; at most `mostLinks` and one. */
export function linksOf(tx: Db, refs: readonly Ref[]): Promise<Linked[]> {
  const of = (module: unknown, id: unknown) =>
    sql`(${module}, ${id}) in (select m, i from unnest(
      ${sql.param(refs.map((ref) => ref.module))}::text[], ${sql.param(refs.map((ref) => ref.id))}::int[]) as r (m, i))`;
  return tx
    .select()
    .from(linkTable)
    .where(or(of(linkTable.from_module, linkTable.from_id), of(linkTable.to_module, linkTable.to_id)))
    .orderBy(desc(linkTable.id))
    .limit(mostLinks + 1);
}

/** True if two records are linked, in either direction. */
export async function areLinked(tx: Db, one: Ref, other: Ref): Promise<boolean> {
  const { from_module: fromModule, from_id: fromId, to_module: toModule, to_id: toId } = linkTable;
  const is = (from: Ref, to: Ref) =>
    and(eq(fromModule, from.module), eq(fromId, from.id), eq(toModule, to.module), eq(toId, to.id));
  return (await tx.$count(linkTable, or(is(one, other), is(other, one)))) > 0;
}

export const mostLinks = 200;
const mostRecords = 50;
const farthest = 4;

/** All records connected with a record through records the person sees; at most four links away and fifty records. */
export async function reached(tx: Db, viewer: Viewer, start: LinkedCard): Promise<LinkedCard[]> {
  const found = new Map([[keyOf(start), start]]);
  let edge: Ref[] = [start];
  for (let away = 0; away < farthest && edge.length > 0 && found.size < mostRecords; away += 1) {
    const next = (await linksOf(tx, edge)).flatMap(endsOf).filter((ref) => !found.has(keyOf(ref)));
    const cards = await seenAmong(tx, viewer, next);
    edge = [...cards.values()].slice(0, mostRecords - found.size);
    for (const card of edge as LinkedCard[]) found.set(keyOf(card), card);
  }
  return [...found.values()];
}
