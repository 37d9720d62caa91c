import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { logTable } from '#modules/platform/audit/tables.ts';
import { settings } from './contract.ts';
import { readSettings } from './service.ts';
import { lets } from './values.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('strangers see name, logo and colour of the site, signed-in users what forms need, permission holders everything', async () => {
  const seen = await app.stranger.get(settings.site);
  expect(Object.keys(seen.value).toSorted()).toEqual(['copyright', 'icp', 'logo', 'name', 'theme', 'version']);
  const person = await app.signIn(await app.person({ alias: '普通人' }));
  const known = (await person.get(settings.site)).value;
  expect(Object.keys(known).filter((key) => !(key in seen.value))).toEqual(['allow_secret']);
  const clerk = await app.clerk({ 'system/site': ['Retrieve', 'Update'] });
  await clerk.get(settings.saveSite, { body: { name: '实验中学', watermark: true, version: seen.version } });
  expect((await clerk.get(settings.site)).value).toMatchObject({ name: '实验中学', watermark: true, file_max_mb: 50 });
  expect((await app.stranger.get(settings.site)).value).toMatchObject({ name: '实验中学', version: '4.0 Beta' });
  const [entry] = await app.db.select().from(logTable).where(eq(logTable.user_id, clerk.userId));
  expect(entry!.diff[0]!.fields).toContainEqual({ field: '站点名称', before: '工单系统', after: '实验中学' });
});

test('a stale change of settings is refused with the present values', async () => {
  const { version } = await app.admin.get(settings.site);
  await app.admin.get(settings.saveSite, { body: { icp: '京ICP备1号', version } });
  const late = await app.admin.ask(settings.saveSite, { body: { icp: '京ICP备2号', version } });
  expect(late).toMatchObject({ code: 4011, data: { current: { icp: '京ICP备1号', version: version + 1 } } });
});

test('only super administrators change sign-in and connection settings, whoever else holds the page', async () => {
  const clerk = await app.clerk({
    'system/login': ['Retrieve', 'Update'],
    'system/interface': ['Retrieve', 'Update'],
  });
  expect(await clerk.ask(settings.saveLogin, { body: { pwd_min: 10 } })).toMatchObject({ code: 4003 });
  expect(await clerk.ask(settings.saveInterfaces, { body: { wopi: { url: '' } } as object })).toMatchObject({
    code: 4003,
  });
  expect((await clerk.get(settings.login)).value.max_fail).toBe(5);
  expect((await app.stranger.get(settings.login)).value.max_fail).toBeUndefined();
  expect((await app.stranger.ask(settings.interfaces)).code).toBe(401);
  const nobody = await app.clerk({ 'system/site': ['Retrieve'] });
  expect((await nobody.ask(settings.interfaces)).code).toBe(4003);
});

test('the protection-grade mode raises settings that are too weak and keeps stricter ones', async () => {
  await app.admin.get(settings.saveLogin, { body: { dengbao: true, pwd_min: 12, max_fail: 10, lock_min: 5 } });
  const { value } = await app.admin.get(settings.login);
  expect(value).toMatchObject({ pwd_min: 12, pwd_classes: 3, pwd_expire_days: 90, max_fail: 5, lock_min: 10 });
  await app.admin.get(settings.saveLogin, { body: { pwd_classes: 0 } });
  expect((await app.admin.get(settings.login)).value.pwd_classes).toBe(3);
  await eventually(async () => expect((await app.services.settings.get('login')).pwd_classes).toBe(3));
});

test('sign-in settings that would lock out the administrator who saves them are refused', async () => {
  const save = (body: object) => app.admin.ask(settings.saveLogin, { body });
  expect((await save({ ip_whitelist: ['10.0.0.0/8'] })).msg).toContain('127.0.0.1');
  expect((await save({ sso_only: true })).code).toBe(-1);
  expect((await save({ ip_whitelist: ['abc'] })).code).toBe(4000);
  expect((await save({ ip_whitelist: ['127.0.0.0/8', '::1'] })).code).toBe(0);
  expect([lets(['10.0.0.0/8'], '::ffff:10.2.3.4'), lets(['fe80::/10'], '10.2.3.4'), lets([], '1.1.1.1')]).toEqual([
    true,
    false,
    true,
  ]);
});

test('a secret setting can be written but not read, and stays when its mask is sent back', async () => {
  const save = (sms: object) => app.admin.get(settings.saveInterfaces, { body: { sms } as object });
  const kept = async () => (await readSettings(app.db, 'interface')).value['sms']!;
  await save({ provider: 'aliyun', key: 'AK-123', secret: 'top-secret-value', sign: '实验中学' });
  const seen = await app.admin.get(settings.interfaces);
  expect(seen.value['sms']).toMatchObject({ provider: 'aliyun', key: '******', secret: '******', sign: '实验中学' });
  expect(seen.value['mail']).toMatchObject({ host: '', password: '' });
  const first = await kept();
  expect(JSON.stringify(first)).not.toContain('top-secret-value');
  expect(app.services.secretBox.open(first['secret']!)).toBe('top-secret-value');
  await save({ secret: '******', sign: '第二中学' });
  expect(await kept()).toMatchObject({ key: first['key'], secret: first['secret'], sign: '第二中学' });
  await save({ secret: '' });
  expect((await app.admin.get(settings.interfaces)).value['sms']).toMatchObject({ key: '******', secret: '' });
  const log = JSON.stringify(await app.db.select().from(logTable));
  expect(log).not.toContain('top-secret-value');
  expect(log).not.toContain(first['secret']);
});

test('a secret is required again when its address changes', async () => {
  const save = (body: object) => app.admin.ask(settings.saveInterfaces, { body });
  const kept = async () => (await readSettings(app.db, 'interface')).value;
  const [here, there] = ['https://a.example.com', 'https://b.example.com'];
  const plain = {
    mail: { host: 'mail.example.com', port: '465', user: 'u', password: 'mail-secret' },
    sms: { provider: 'aliyun', url: here, key: 'sms-key', secret: 'sms-secret' },
    sms_backup: { provider: 'tencent', url: '', key: 'backup-key', secret: 'backup-secret' },
    sso: { type: 'oauth2', url: here, client_id: 'c', secret: 'sso-secret', token_url: here, userinfo_url: here },
    wechat: { appid: 'a', secret: 'wechat-secret', url: '' },
  };
  expect((await save(plain)).code).toBe(0);
  const first = await kept();
  const moves: [string, object, string[]][] = [
    ['mail', { host: 'evil.example.com' }, ['password']],
    ['mail', { port: '25' }, ['password']],
    ['sms', { url: there }, ['key', 'secret']],
    ['sms', { provider: 'tencent' }, ['key', 'secret']],
    ['sms_backup', { url: there }, ['key', 'secret']],
    ['sso', { url: there }, ['secret']],
    ['sso', { token_url: there }, ['secret']],
    ['sso', { userinfo_url: there }, ['secret']],
    ['wechat', { url: there }, ['secret']],
    ['sms_backup', { provider: 'aliyun' }, ['key', 'secret']],
  ];
  const hiddenAgain = { password: '******', key: '******', secret: '******' };
  const known = (group: string) => (first[group] ?? {}) as Record<string, string>;
  for (const [group, change, secrets] of moves)
    for (const also of [
      {},
      Object.fromEntries(Object.entries(hiddenAgain).filter(([field]) => field in known(group))),
    ]) {
      const answer = await save({ [group]: { ...change, ...also } });
      const errors = (answer.data as unknown as { errors: { field: string; msg: string }[] }).errors;
      expect([answer.code, errors.map((one) => one.field)]).toEqual([4000, secrets.map((name) => `${group}.${name}`)]);
      expect(errors[0]!.msg).toContain('请重新填写');
    }
  expect(await kept()).toEqual(first);
  // Any other change of a connection keeps its secret, and so does switching it off; a new secret, or none, may go anywhere.
  expect((await save({ mail: { user: 'v' }, sso: { claim: 'no' }, sms: { sign: '某校' } })).code).toBe(0);
  expect((await save({ sms: { url: there, key: 'k2', secret: 's2' }, wechat: { url: there, secret: '' } })).code).toBe(
    0,
  );
  expect((await save({ mail: { host: '' } })).code).toBe(0);
  expect((await save({ mail: { host: 'evil.example.com' } })).code).toBe(4000);
  expect((await kept())['mail']!['password']).toBe(first['mail']!['password']);
});

test('an invalid setting is named by its Chinese title', async () => {
  const answer = await app.admin.ask(settings.saveInterfaces, {
    body: { wopi: { url: 'javascript:alert(1)' } } as object,
  });
  expect(answer).toMatchObject({ code: 4000, msg: expect.stringContaining('在线文档服务地址') as string });
});

test('settings and rules are saved in the shape in which they are read, and in the plain one', async () => {
  const mounted = app.services.product.servers().flatMap((module) => module.calls.map(({ call }) => call));
  const saves = mounted.filter(({ bodyOf }) => bodyOf);
  expect(saves.length).toBeGreaterThanOrEqual(10);
  type Read = { data: { value: Record<string, unknown>; version: number } };
  for (const { path, method } of saves) {
    const ask = async (body?: object) => {
      const { bytes } = await app.admin.send(path, body ? { method, body: JSON.stringify(body), headers } : {});
      return JSON.parse(bytes.toString('utf8')) as Read & { code: number; msg: string };
    };
    const read = (await ask()).data;
    expect([path, await ask({ value: read.value, version: read.version })]).toMatchObject([path, { code: 0 }]);
    const again = (await ask()).data;
    expect([path, again.value]).toEqual([path, read.value]);
    // The version of the change is sent beside the value, and checked there.
    expect(again.version).toBeGreaterThan(read.version);
    expect([path, (await ask({ value: read.value, version: read.version })).code]).toEqual([path, 4011]);
    for (const body of [{ 没有的项: 1 }, { value: { ...read.value, 没有的项: 1 } }]) {
      const { code, msg } = await ask(body);
      expect([path, code, msg]).toEqual([path, 4000, '“没有的项”：没有这一项，请删去或改正后再提交']);
    }
  }
});
const headers = { 'content-type': 'application/json' };

test('values changed within the read shape are stored: site name and logo, a sign-in rule, a connection field', async () => {
  const site = await app.admin.get(settings.site);
  const save = (call: (typeof settings)[keyof typeof settings], body: object) => app.admin.ask(call, { body } as never);
  expect(await save(settings.saveSite, { value: { ...site.value, name: '第二中学' } })).toMatchObject({ code: 0 });
  expect((await app.admin.get(settings.site)).value).toMatchObject({ name: '第二中学', version: '4.0 Beta' });
  const { value: login } = await app.admin.get(settings.login);
  expect(await save(settings.saveLogin, { value: { ...login, captcha_after: 7 } })).toMatchObject({ code: 0 });
  expect((await app.admin.get(settings.login)).value.captcha_after).toBe(7);
  const { value: interfaces } = await app.admin.get(settings.interfaces);
  const changed = { ...interfaces, sms: { ...interfaces['sms'], sign: '第二中学' } };
  expect(await save(settings.saveInterfaces, { value: changed })).toMatchObject({ code: 0 });
  expect((await app.admin.get(settings.interfaces)).value).toEqual(changed);
  expect(await save(settings.saveInterfaces, { value: { sms: { 没有: '1' }, 没有: {} } })).toMatchObject({
    code: 4000,
    data: { errors: [{ field: 'sms.没有' }, { field: '没有' }] },
  });
});
