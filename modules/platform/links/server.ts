import { eq } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { implement } from '#kernel/server/http/implement.ts';
import {
  alreadyLinked,
  linkedToItself,
  linkKept,
  links,
  linkTypes,
  type LinkType,
  type TimelineRow,
} from './contract.ts';
import {
  areLinked,
  endsOf,
  keyOf,
  linksOf,
  mostLinks,
  reached,
  refuseReplacing,
  refuseUnchangeable,
  seenAmong,
  seenOne,
} from './reach.ts';
import { link, linkModule, linkModules } from './service.ts';
import { linkTable } from './tables.ts';

/** Rows of a timeline. */
const most = 100;

export const linksModule = implement('links', links, {
  async list({ query }, { tx, user }) {
    await seenOne(tx, user, query);
    const all = await linksOf(tx, [query]);
    const cards = await seenAmong(tx, user, all.flatMap(endsOf));
    const shown = all.slice(0, mostLinks).flatMap((one) => {
      const [from, to] = endsOf(one);
      const outward = keyOf(from) === keyOf(query);
      const record = cards.get(keyOf(outward ? to : from));
      const names = linkTypes[one.type as LinkType];
      return record ? [{ id: one.id, type: one.type, name: names[outward ? 0 : 1], record, from, to }] : [];
    });
    const value = [];
    for (const { from, to, ...one } of shown) {
      const type = one.type as LinkType;
      value.push({ ...one, kept: (await linkModule(tx, to.module)?.keeps?.(tx, { from, to, type })) ?? false });
    }
    return {
      value,
      more: value.length > 0 && all.length > mostLinks,
      modules: linkModules(tx).map(([module, { name }]) => ({ module, name })),
    };
  },

  async create({ body }, { tx, user, audit }) {
    const from = await seenOne(tx, user, { module: body.from_module, id: body.from_id });
    const to = await seenOne(tx, user, { module: body.to_module, id: body.to_id });
    if (keyOf(from) === keyOf(to)) throw linkedToItself();
    await refuseUnchangeable(tx, user, [from, to]);
    await refuseReplacing(tx, user, body.type, to);
    const id = (await areLinked(tx, from, to)) ? null : await link(tx, { from, to, type: body.type, userId: user.id });
    if (id === null) throw alreadyLinked(to.title);
    audit({ type: '关联', id, title: from.title, after: { 关系: linkTypes[body.type][0], 事项: to.title } });
    return { id };
  },

  async remove({ params }, { tx, user, audit }) {
    const [found] = await tx.select().from(linkTable).where(eq(linkTable.id, params.id)).for('update');
    const ends = found ? endsOf(found) : [];
    const cards = await seenAmong(tx, user, ends);
    if (!found || cards.size < 2) throw absent('该关联');
    await refuseUnchangeable(tx, user, ends);
    const [from, to] = ends.map((end) => cards.get(keyOf(end))!);
    const type = found.type as LinkType;
    await refuseReplacing(tx, user, type, to!);
    if (await linkModule(tx, to!.module)?.keeps?.(tx, { from: from!, to: to!, type }))
      throw linkKept(linkTypes[type][0], to!.title);
    await tx.delete(linkTable).where(eq(linkTable.id, found.id));
    audit({
      type: '关联',
      id: found.id,
      title: from!.title,
      before: { 关系: linkTypes[type][0], 事项: to!.title },
    });
    return { id: found.id };
  },

  async candidates({ query }, { tx, user, now }) {
    const module = linkModule(tx, query.module);
    if (!module) throw absent('该类事项');
    const cards = await module.find(tx, user, query.search_value, now);
    return cards.map((card) => ({ ...card, module: query.module, module_name: module.name }));
  },

  async timeline({ query }, { tx, user }) {
    const records = await reached(tx, user, await seenOne(tx, user, query));
    const rows: TimelineRow[] = [];
    for (const [name, all] of Map.groupBy(records, (one) => one.module)) {
      const cards = new Map(all.map((card) => [card.id, card]));
      const happened = (await linkModule(tx, name)?.happened(tx, [...cards.keys()], most + 1, user)) ?? [];
      for (const { id, at, who, what } of happened) rows.push({ at, who, what, record: cards.get(id)! });
    }
    const sorted = rows.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
    return { value: sorted.slice(0, most), records: records.length, more: sorted.length > most };
  },
});
