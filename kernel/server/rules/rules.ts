import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Rules, RuleValue } from '#kernel/contract/rules.ts';
import { titled } from '#kernel/contract/titles.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Db } from '../db/db.ts';
import { settingTable } from '../db/tables.ts';
import { checkVersion } from '../db/version.ts';
import type { Context } from '../http/implement.ts';
import { notify, type Bus } from '../live/bus.ts';

interface Read<V> {
  value: V;
  version: number;
}

/** Reads rules from the database, with the defaults of fields that were never set. */
export async function readRules<R extends Rules>(tx: Db, rules: R): Promise<Read<RuleValue<R>>> {
  const [row] = await tx.select().from(settingTable).where(eq(settingTable.key, rules.key));
  return { value: { ...rules.defaults, ...row?.value } as RuleValue<R>, version: row?.version ?? 0 };
}

interface Saving<V> {
  /** Returns the value to store instead of the one sent: it refuses, or normalises. */
  settle?(after: V, before: V, tx: Db): V | Promise<V>;
  /** The current value, as shown to a person whose change came too late. */
  shown?(value: V): object;
  /** The fields that the log keeps; the titled values of all fields unless given. */
  facts?(before: V, after: V): readonly [before: Record<string, unknown>, after: Record<string, unknown>];
}

/** Changes the fields of rules that were sent, one change at a time, and notifies every node. */
export async function saveRules<R extends Rules>(
  tx: Db,
  rules: R,
  { version, ...asked }: { version?: number | undefined } & Record<string, unknown>,
  audit: Context['audit'],
  { settle, shown = (value) => value as object, facts }: Saving<RuleValue<R>> = {},
): Promise<void> {
  const { key, title } = rules;
  await tx.insert(settingTable).values({ key, value: {} }).onConflictDoNothing();
  await tx.execute(sql`select 1 from setting where key = ${key} for update`);
  const before = await readRules(tx, rules);
  checkVersion(title, before, version, { ...shown(before.value), version: before.version });
  const sent = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const wanted = { ...before.value, ...sent } as RuleValue<R>;
  const after = (await settle?.(wanted, before.value, tx)) ?? wanted;
  await tx
    .update(settingTable)
    .set({
      value: { ...(after as Record<string, unknown>) },
      version: sql`${settingTable.version} + 1`,
      gmt_modified: sql`now()`,
    })
    .where(eq(settingTable.key, key));
  await notify(tx, 'settings', key);
  const schema = z.object(rules.shape);
  const [was, is] = facts?.(before.value, after) ?? [titled(schema, before.value), titled(schema, after)];
  audit({ type: '设置', id: key, title, before: was, after: is });
}

/** The handlers of `ruleCalls`. `demand` refuses people who may not change them although they hold the code. */
export function ruleHandlers<R extends Rules>(
  rules: R,
  { demand, ...saving }: Saving<RuleValue<R>> & { demand?(viewer: Viewer): void } = {},
) {
  return {
    rule: (_input: unknown, { tx }: Pick<Context, 'tx'>) => readRules(tx, rules),
    async saveRule({ body }: { body: object }, { tx, user, audit }: Pick<Context, 'tx' | 'audit'> & { user: Viewer }) {
      demand?.(user);
      await saveRules(tx, rules, body as Record<string, unknown>, audit, saving);
      return {};
    },
  };
}

/** Rules for every call: cached in memory until a node announces a change. */
export interface KeptRules {
  of<R extends Rules>(rules: R): Promise<RuleValue<R>>;
}

const keptSeconds = 60;

export function keepRules({ fresh, bus }: { fresh: Db; bus: Bus }): KeptRules {
  const kept = new Map<string, { value: Promise<unknown>; until: number }>();
  bus.listen('settings', (key) => kept.delete(key));
  bus.onGap(() => kept.clear());
  return {
    of<R extends Rules>(rules: R): Promise<RuleValue<R>> {
      const known = kept.get(rules.key);
      if (known && known.until > Date.now() && bus.connected()) return known.value as Promise<RuleValue<R>>;
      const value = readRules(fresh, rules).then((read) => read.value);
      kept.set(rules.key, { value, until: Date.now() + keptSeconds * 1000 });
      value.catch(() => kept.delete(rules.key));
      return value;
    },
  };
}
