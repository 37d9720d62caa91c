import { eq } from 'drizzle-orm';
import type { Bus } from '#kernel/server/live/bus.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { settingTable } from './tables.ts';
import { defaults, type SettingValues } from './values.ts';

export { forgetSecret, isOwnSecret, ownAmong } from './known-secret.ts';
export { dayParts, dayPartsText, type DayPart } from './contract/office-hours.ts';
export { lets, openWays, type LoginValue, type SiteValue } from './values.ts';

export type SettingKey = keyof SettingValues;

/** One group of settings as it stands in the database, what was never set by its default. */
export async function readSettings<K extends SettingKey>(
  tx: Db,
  key: K,
): Promise<{ value: SettingValues[K]; version: number }> {
  const [row] = await tx.select().from(settingTable).where(eq(settingTable.key, key));
  return { value: { ...defaults[key], ...row?.value } as SettingValues[K], version: row?.version ?? 0 };
}

/** Settings for every call: kept in memory until some node says that they changed. */
export interface Settings {
  get<K extends SettingKey>(key: K): Promise<SettingValues[K]>;
}

const keptSeconds = 60;

export function createSettings({ fresh, bus }: { fresh: Db; bus: Bus }): Settings {
  const kept = new Map<SettingKey, { value: Promise<SettingValues[SettingKey]>; until: number }>();
  bus.listen('settings', (key) => kept.delete(key as SettingKey));
  bus.onGap(() => kept.clear());
  return {
    get<K extends SettingKey>(key: K): Promise<SettingValues[K]> {
      const known = kept.get(key);
      if (known && known.until > Date.now() && bus.connected()) return known.value as Promise<SettingValues[K]>;
      const value = readSettings(fresh, key).then((read) => read.value);
      kept.set(key, { value, until: Date.now() + keptSeconds * 1000 });
      value.catch(() => kept.delete(key));
      return value;
    },
  };
}
