import { and, eq } from 'drizzle-orm';
import { absent, invalid } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { leaving, noReceiver, notToOneself, type HeldKind } from '../contract/leaves.ts';
import { rightsBeyond } from '../contract/refusals.ts';
import { calledBy, peopleById, peopleByName, type PersonCard } from '../service.ts';
import { userTable } from '../tables.ts';
import type { Handed, Leaves } from '../service/leaves.ts';
import { holdsBeyond, whyNotBecome } from './depts/becoming.ts';
import { usersWithin } from './depts/reach.ts';

const shown = 100;

/**
 * Handing over chooses who decides: the user may not hand over what they could not do in the person's place, to anybody. Things the person was named
 * for are a kind of their own, with a check of its own.
 */
async function leaver(tx: Db, user: Viewer, id: number, locks = false): Promise<PersonCard> {
  const of = and(eq(userTable.id, id), usersWithin(user, 'Update', 'system/user'));
  const asked = tx.select().from(userTable).where(of);
  const [found] = await (locks ? asked.for('no key update') : asked);
  const person = found ? (await peopleById(tx, [id])).get(id) : undefined;
  if (!found || !person) throw absent('用户');
  const why = await whyNotBecome(tx, user, found, { named: false });
  if (why) throw why;
  return person;
}

/** Everything requested, each with the same reason for staying. */
async function allKept({ openOf }: Leaves, tx: Db, person: PersonCard, only: readonly number[]): Promise<Handed> {
  const { rows } = await openOf(tx, person.id, shown);
  const wanted = rows.filter(({ id }) => only.length === 0 || only.includes(id));
  const msg = rightsBeyond(person.alias).message;
  return { moved: 0, kept: wanted.map(({ id, title }) => ({ id, title, msg })) };
}

interface Telling {
  handedOver(tx: Db, people: readonly [from: PersonCard, to: PersonCard], count: number, by: string): Promise<void>;
}

/** A leaver's things in all modules, and their new holder. */
export const leavesModule = ({ handedOver }: Telling) =>
  implement('people', leaving, {
    async open({ params }, { tx, user, services }) {
      const { id } = await leaver(tx, user, params.id);
      const value: HeldKind[] = [];
      for (const { key, title, openOf } of services.product.leaves)
        value.push({ key, title, ...(await openOf(tx, id, shown)) });
      return { total: value.reduce((sum, kind) => sum + kind.count, 0), value };
    },

    async handOver({ params, body }, { tx, user, now, origin, audit, services }) {
      const from = await leaver(tx, user, params.id, true);
      const to = (await peopleByName(tx, [body.target_username])).get(body.target_username);
      if (!to || to.id === from.id) throw noReceiver((await calledBy(tx, [body.target_username]))[0]!);
      if (to.id === user.id && !user.superAdmin) throw notToOneself();
      const all = services.product.leaves;
      const { kinds = all.map(({ key }) => key) } = body;
      const unknown = kinds.find((kind) => !all.some(({ key }) => key === kind));
      if (unknown !== undefined) throw invalid([{ field: 'kinds', label: '类别', msg: `没有“${unknown}”这一类事项` }]);
      const wanted = all.filter(({ key }) => kinds.includes(key));
      const done = { moved: 0, ended: 0, kept: [] as { key: string; id: number; title: string; msg: string }[] };
      const moved: Record<string, number> = {};
      const beyond = wanted.some(({ asPerson }) => asPerson) && (await holdsBeyond(tx, user, from.id));
      for (const kind of wanted) {
        const { key, title, ends } = kind;
        const handed =
          kind.asPerson && beyond
            ? await allKept(kind, tx, from, body.ids)
            : await kind.handOver(tx, from, to, { user, now, origin }, body.ids);
        done[ends ? 'ended' : 'moved'] += handed.moved;
        done.kept.push(...handed.kept.map((one) => ({ key, ...one })));
        if (handed.moved > 0) moved[title] = handed.moved;
      }
      if (done.moved > 0) await handedOver(tx, [from, to], done.moved, user.alias);
      audit({
        type: '用户',
        id: from.id,
        title: from.alias,
        after: {
          操作: '移交事项',
          接收人: to.alias,
          ...moved,
          移交: done.moved,
          未移交: done.kept.map((one) => one.title).join('、'),
        },
      });
      return done;
    },
  });
