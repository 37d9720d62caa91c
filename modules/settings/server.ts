import { sql } from 'drizzle-orm';
import { notify } from '#kernel/server/live/bus.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { attachAll, detachAll, fileUrl, type Signer } from '#modules/files/service.ts';
import { LoginInput, lockedOut, noWayIn, settings, SiteInput, superOnly } from './contract.ts';
import { differences, hidden, merged, refuseSecretsElsewhere } from './secrets.ts';
import { readSettings, type SettingKey } from './service.ts';
import { settingTable } from './tables.ts';
import { shapeTitles } from './titles.ts';
import {
  lets,
  openWays,
  productVersion,
  strengthened,
  type LoginValue,
  type SettingValues,
  type SiteValue,
} from './values.ts';

const mayRead = (user: Viewer | null, page: string) => user !== null && holds(user, 'Retrieve', page);

export interface SettingsServices {
  secretBox: SecretBox;
  signer: Signer;
}

export function settingsModule({ secretBox, signer }: SettingsServices): ServerModule {
  return implement('settings', settings, {
    async site(_input, { tx, user }) {
      const { value, version } = await readSettings(tx, 'site');
      return { value: siteOf(value, signer, mayRead(user, 'system/site')), version };
    },
    async saveSite({ body: { version, ...asked } }, { tx, user, audit }) {
      const before = await lockSettings(tx, 'site');
      checkVersion('站点设置', before, version, { ...before.value, version: before.version });
      const after = { ...before.value, ...given(asked) };
      const held = { module: 'settings', recordId: 'site' };
      const [added, gone] = [apart(after.logo, before.value.logo), apart(before.value.logo, after.logo)];
      await attachAll(tx, { ...held, fileIds: added, user, open: true });
      await detachAll(tx, { ...held, fileIds: gone });
      await keep(tx, 'site', after);
      audit({ type: '设置', id: 'site', title: '站点设置', ...titled(SiteInput, before.value, after) });
      return {};
    },

    async login(_input, { tx, user }) {
      const { value, version } = await readSettings(tx, 'login');
      const site = await readSettings(tx, 'site');
      const all = mayRead(user, 'system/login');
      // Strangers are offered what works, administrators see what is switched on.
      const open = all ? null : openWays(value, (await readSettings(tx, 'interface')).value);
      const shown = open ? { ...value, sso_enabled: open.sso, wechat_enabled: open.wechat } : value;
      return { value: loginOf(shown, site.value, all), version };
    },
    async saveLogin({ body: { version, ...asked } }, { tx, user, origin, audit }) {
      if (!user.superAdmin) throw superOnly('登录设置');
      const before = await lockSettings(tx, 'login');
      checkVersion('登录设置', before, version, { ...before.value, version: before.version });
      const after = strengthened({ ...before.value, ...given(asked) });
      if (after.sso_only && !openWays(after, (await readSettings(tx, 'interface')).value).sso) throw noWayIn();
      if (!lets(after.ip_whitelist, origin.ip)) throw lockedOut(origin.ip);
      await keep(tx, 'login', after);
      audit({ type: '设置', id: 'login', title: '登录设置', ...titled(LoginInput, before.value, after) });
      return {};
    },

    async interfaces(_input, { tx }) {
      const { value, version } = await readSettings(tx, 'interface');
      return { value: hidden(value), version };
    },
    async saveInterfaces({ body: { version, ...asked } }, { tx, user, audit }) {
      if (!user.superAdmin) throw superOnly('接口设置');
      const before = await lockSettings(tx, 'interface');
      checkVersion('接口设置', before, version, { ...hidden(before.value), version: before.version });
      const wanted = asked as Parameters<typeof merged>[1];
      refuseSecretsElsewhere(before.value, wanted);
      const after = merged(before.value, wanted, secretBox);
      await keep(tx, 'interface', after);
      const [was, is] = differences(before.value, after);
      audit({ type: '设置', id: 'interface', title: '接口设置', before: was, after: is });
      return {};
    },
  });
}

function siteOf(site: SiteValue, signer: Signer, all: boolean) {
  const logo = site.logo.map((id) => ({ id, url: fileUrl(signer, id, null) }));
  const { name, copyright, icp, theme, logo: _ids, ...rest } = site;
  return { name, logo, version: productVersion, copyright, icp, theme, ...(all ? rest : {}) };
}

function loginOf(login: LoginValue, site: SiteValue, all: boolean) {
  const { phone_login, sso_enabled, sso_only, wechat_enabled, pwd_min, pwd_classes, ...rest } = login;
  const open = { phone_login, sso_enabled, sso_only, wechat_enabled, pwd_min, pwd_classes };
  return { ...open, visitor_orders: site.visitor_orders, ...(all ? rest : {}) };
}

async function lockSettings<K extends SettingKey>(tx: Db, key: K) {
  await tx.insert(settingTable).values({ key, value: {} }).onConflictDoNothing();
  await tx.execute(sql`select 1 from setting where key = ${key} for update`);
  return readSettings(tx, key);
}

async function keep<K extends SettingKey>(tx: Db, key: K, value: SettingValues[K]): Promise<void> {
  await tx
    .update(settingTable)
    .set({
      value: { ...value } as Record<string, unknown>,
      version: sql`${settingTable.version} + 1`,
      gmt_modified: sql`now()`,
    })
    .where(sql`${settingTable.key} = ${key}`);
  await notify(tx, 'settings', key);
}

const apart = (ids: readonly number[], others: readonly number[]) => ids.filter((id) => !others.includes(id));

/** Only what was sent: a field that is absent stays as it is. */
function given<T extends object>(asked: T): { [K in keyof T]-?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as never;
}

function titled(schema: Parameters<typeof shapeTitles>[0], before: object, after: object) {
  const names = shapeTitles(schema);
  const named = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([key, one]) => [names[key] ?? key, one]));
  return { before: named(before), after: named(after) };
}
