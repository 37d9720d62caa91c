import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { saveRules } from '#kernel/server/rules/rules.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { attachAll, detachAll, fileUrl } from '#modules/platform/files/service.ts';
import { lockedOut, noWayIn, settings, superOnly } from './contract.ts';
import { codeWays, interfaceRules } from './contract/interfaces.ts';
import { loginRules, type LoginValue } from './contract/login.ts';
import { isQuiet, quietRules } from './contract/quiet.ts';
import { siteRules, type SiteValue } from './contract/site.ts';
import { differences, hidden, merged, refuseSecretsElsewhere } from './secrets.ts';
import { readSettings } from './service.ts';
import { lets, openWays, productVersion, strengthened } from './values.ts';

const mayRead = (user: Viewer | null, page: string) => user !== null && holds(user, 'Retrieve', page);

export const settingsModule = implement('settings', settings, {
  async site(_input, { tx, user, services }) {
    const { value, version } = await readSettings(tx, 'site');
    const { since } = await services.settings.of(quietRules);
    return { value: { ...siteOf(tx, value, user), ...(user && since ? { quiet_since: since } : {}) }, version };
  },
  async saveSite({ body }, { tx, user, audit }) {
    await saveRules(tx, siteRules, body, audit, {
      async settle(after, before) {
        const held = { module: 'settings', recordId: 'site' };
        await attachAll(tx, { ...held, fileIds: apart(after.logo, before.logo), user, open: true });
        await detachAll(tx, { ...held, fileIds: apart(before.logo, after.logo) });
        return after;
      },
    });
    return {};
  },

  async login(_input, { tx, user, services }) {
    const { value, version } = await readSettings(tx, 'login');
    const site = await readSettings(tx, 'site');
    const all = mayRead(user, 'system/login');
    // Strangers see the ways that work, administrators those that are switched on.
    const interfaces = (await readSettings(tx, 'interface')).value;
    const open = all ? null : openWays(value, interfaces);
    const shown = open ? { ...value, sso_enabled: open.sso, wechat_enabled: open.wechat } : value;
    // A restored copy sends nothing.
    const forgot_ways = value.forgot_password && !(await isQuiet(services.settings)) ? codeWays(interfaces) : [];
    return { value: { ...loginOf(shown, site.value, all), forgot_ways }, version };
  },
  async saveLogin({ body }, { tx, user, origin, audit }) {
    if (!user.superAdmin) throw superOnly('登录设置');
    await saveRules(tx, loginRules, body, audit, {
      async settle(asked) {
        const after = strengthened(asked);
        if (after.sso_only && !openWays(after, (await readSettings(tx, 'interface')).value).sso) throw noWayIn();
        if (!lets(after.ip_whitelist, origin.ip)) throw lockedOut(origin.ip);
        return after;
      },
    });
    return {};
  },

  async interfaces(_input, { tx }) {
    const { value, version } = await readSettings(tx, 'interface');
    return { value: hidden(value), version };
  },
  async saveInterfaces({ body }, { tx, user, audit, services }) {
    if (!user.superAdmin) throw superOnly('接口设置');
    const { version, ...asked } = body;
    await saveRules(tx, interfaceRules, version === undefined ? {} : { version }, audit, {
      settle(_after, before) {
        const wanted = asked as Parameters<typeof merged>[1];
        refuseSecretsElsewhere(before, wanted);
        return merged(before, wanted, services.secretBox);
      },
      shown: hidden,
      facts: differences,
    });
    return {};
  },
});

/** Strangers see the site's appearance, signed-in people also the settings of their forms, administrators everything. */
function siteOf(tx: Db, site: SiteValue, user: Viewer | null) {
  const logo = site.logo.map((id) => ({ id, url: fileUrl(tx, id, null) }));
  const { name, copyright, icp, theme, logo: _ids, ...rest } = site;
  return {
    name,
    logo,
    version: productVersion,
    copyright,
    icp,
    theme,
    ...(user ? { allow_secret: rest.allow_secret } : {}),
    ...(mayRead(user, 'system/site') ? rest : {}),
  };
}

function loginOf(login: LoginValue, site: SiteValue, all: boolean) {
  const { phone_login, sso_enabled, sso_only, wechat_enabled, pwd_min, pwd_classes, ...rest } = login;
  const open = { phone_login, sso_enabled, sso_only, wechat_enabled, pwd_min, pwd_classes };
  return { ...open, visitor_orders: site.visitor_orders, ...(all ? rest : {}) };
}

const apart = (ids: readonly number[], others: readonly number[]) => ids.filter((id) => !others.includes(id));
