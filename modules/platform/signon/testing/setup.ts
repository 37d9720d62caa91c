import { expect } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import type { TestOffice } from '#apps/server/testing.ts';
import { settings } from '#modules/platform/settings/contract.ts';

type Group = Record<string, string>;

/** Saves sign-in and interface settings and waits until the server uses them. */
export async function setUp(
  app: TestOffice,
  login: Record<string, unknown>,
  interfaces: { sso?: Group; wechat?: Group } = {},
): Promise<void> {
  await app.admin.get(settings.saveInterfaces, { body: interfaces as object });
  await app.admin.get(settings.saveLogin, { body: login });
  const wanted = { ...interfaces.sso, ...interfaces.wechat };
  await eventually(async () => {
    expect(await app.services.settings.get('login')).toMatchObject(login);
    const kept = await app.services.settings.get('interface');
    const values = { ...(interfaces.sso && kept['sso']), ...(interfaces.wechat && kept['wechat']) };
    for (const [field, value] of Object.entries(wanted)) if (field !== 'secret') expect(values[field]).toBe(value);
  });
}
