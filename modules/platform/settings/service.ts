import type { RuleValue } from '#kernel/contract/rules.ts';
import type { Bus } from '#kernel/server/live/bus.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { keepRules, readRules, type KeptRules } from '#kernel/server/rules/rules.ts';
import { interfaceRules } from './contract/interfaces.ts';
import { loginRules } from './contract/login.ts';
import { siteRules } from './contract/site.ts';

export { forgetSecret, isOwnSecret, ownAmong } from './known-secret.ts';
export { dayParts, dayPartsText, type DayPart } from './contract/office-hours.ts';
export type { LoginValue } from './contract/login.ts';
export { noteBackup } from './setup/backup.ts';
export type { SiteValue } from './contract/site.ts';
export { lets, openWays } from './values.ts';

const groups = { site: siteRules, login: loginRules, interface: interfaceRules };
export type SettingKey = keyof typeof groups;
type ValueOf<K extends SettingKey> = RuleValue<(typeof groups)[K]>;

/** One group of settings from the database, with defaults for missing values. */
export const readSettings = <K extends SettingKey>(tx: Db, key: K): Promise<{ value: ValueOf<K>; version: number }> =>
  readRules(tx, groups[key]);

/** Settings for every call, and each module's own rules: cached until some node announces a change. */
export interface Settings extends KeptRules {
  get<K extends SettingKey>(key: K): Promise<ValueOf<K>>;
}

export function createSettings(of: { fresh: Db; bus: Bus }): Settings {
  const kept = keepRules(of);
  return { ...kept, get: (key) => kept.of(groups[key]) };
}

declare module '#kernel/server/services.ts' {
  interface Services {
    settings: Settings;
  }
}
