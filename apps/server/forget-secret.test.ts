import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { alumnusTable } from '#modules/platform/alumni/tables.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { isOwnSecret } from '#modules/platform/settings/service.ts';
import { setUp } from '#modules/platform/signon/testing/setup.ts';
import { openBrowser } from '#modules/platform/signon/testing/browser.ts';
import { sms } from '#modules/platform/sms/contract.ts';
import { tokens } from '#modules/platform/tokens/contract.ts';
import { sendSigned } from '#modules/platform/tokens/testing/signed.ts';
import { customNotices } from '#modules/workflow/workflows/contract/notices.ts';
import { builtServer } from '../../scripts/run-build.mjs';
import { cloneTemplate, openTestApp, testSecret, type TestOffice } from './testing.ts';

let database: Awaited<ReturnType<typeof cloneTemplate>>;
let running: TestOffice;
const place = mkdtempSync(join(tmpdir(), 'gongdan-forget-'));
// The app is closed and opened again on the same database.
const opened = () =>
  openTestApp({
    outgoingAllow: ['127.0.0.0/8'],
    database: { url: database.url, drop: async () => undefined },
  });
beforeAll(async () => {
  database = await cloneTemplate();
  running = await opened();
  await running.services.databases.write((tx) => isOwnSecret(tx, running.services.secretBox));
});
afterAll(async () => {
  await running.close();
  await database.drop();
  rmSync(place, { recursive: true });
});

/** Runs the command as an operator would, with the text typed at its prompt. */
function forget(typed: string, env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [builtServer(join(import.meta.dirname, '../..'), 'forget-secret')], {
    encoding: 'utf8',
    input: `${typed}\n`,
    env: { ...process.env, DATABASE_URL: database.url, DATA_DIR: place, ...env },
  });
}

const phone = '13900055001';
const texts = async () => {
  const { rows } = await running.services.databases.pool.query(`
    select value::text as kept from setting where key = 'interface' union all select key from app_token union all
    select hook_token || corpsecret || appsecret from custom_notice union all select mobile from alumnus union all
    select mobile from sms_opt_out union all select mobile from sms_log`);
  return rows.map(({ kept }: { kept: string | null }) => kept ?? '');
};
const openable = (text: string) =>
  [...text.matchAll(/[\w-]{38,}/g)].some(([sealed]) => {
    try {
      running.services.secretBox.open(sealed);
      return true;
    } catch {
      return false;
    }
  });

test(
  'a secret is discarded only if it is lost and nothing runs; what it encrypted is gone, with a hint in each place',
  { timeout: 300_000 },
  async () => {
    const { admin: before } = running;
    const { seal, keyedHash } = running.services.secretBox;
    const sso = {
      type: 'oidc',
      url: 'http://127.0.0.1:9',
      client_id: 'we',
      secret: 'sso-secret',
      claim: '',
      match: '',
    };
    await setUp(running, { sso_enabled: true }, { sso });
    await setUp(running, { wechat_enabled: true }, { wechat: { appid: 'wx1', secret: 'wx-secret' } });
    const made = await before.get(tokens.add, { body: { app_name: '旧应用', apis: ['GET /api/tickets/'] } });
    const [old] = await running.services.databases.write((tx) =>
      tx
        .insert(alumnusTable)
        .values({
          name: '李若兰',
          student_no: '2014001',
          creator_id: before.userId,
          search: '',
          mobile: seal(phone),
          mobile_mark: keyedHash(phone),
          mobile_tail: phone.slice(-4),
          consent_sms: true,
          consent_at: '2024-06-01',
          consent_from: '返校登记表',
        })
        .returning({ id: alumnusTable.id }),
    );
    await before.get(sms.optOut, { body: { mobile: phone, reason: '来电要求' } });
    await before.get(customNotices.add, {
      body: {
        name: '外部系统',
        type_id: 1,
        hook_url: 'https://hook.example.cn/in',
        hook_token: 'hook-secret',
      } as never,
    });
    const send_at = new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 16);
    await before.get(sms.send, { body: { mobiles: '13900055009', content: '后天开会', send_at } as never });
    expect((await texts()).filter(openable)).toHaveLength(6);

    const kept = await texts();
    const beside = forget('放弃');
    expect(beside).toMatchObject({ status: 1, stderr: expect.stringContaining('请先停下所有节点') });
    await running.close();
    const secretFile = join(place, 'session-secret');
    const inHand = [{ SESSION_SECRET: testSecret }, { SESSION_SECRET: 'another one '.repeat(4) }];
    writeFileSync(secretFile, testSecret);
    for (const [at, where] of ['环境变量 SESSION_SECRET', `文件 ${secretFile}`].entries())
      expect(forget('放弃', inHand[at])).toMatchObject({
        status: 1,
        stderr: `${where} 就是这个数据库的会话密钥，没有丢失，因此没有放弃：用它启动即可，加密保存的内容都还能读出。\n`,
      });
    rmSync(secretFile);
    for (const typed of ['', 'y', '放弃了'])
      expect(forget(typed)).toMatchObject({ status: 1, stderr: '没有输入“放弃”，什么也没有改变。\n' });
    running = await opened();
    expect(await texts()).toEqual(kept);
    await running.close();

    const told = forget('放弃');
    expect(told).toMatchObject({ status: 0, stderr: '' });
    expect(told.stdout).toContain('会清空用它加密的 8 项内容');
    for (const line of ['接口设置里的密码与密钥 2', '应用令牌的密钥 1', '校友的手机号 1', '短信退订名单里的号码 1'])
      expect(told.stdout).toContain(`  ${line} 项\n`);
    expect(forget('放弃')).toMatchObject({ status: 1, stderr: expect.stringContaining('没有登记会话密钥') });
    running = await opened();
    const { admin } = running;
    expect(told.stdout).toContain('接口设置里的密码与密钥');
    expect(told.stdout).toContain('停用的应用令牌');
    expect(told.stdout).toContain('重新导入校友的手机号');
    expect(told.stdout).toContain('退订名单里标为“失效”的号码');
    expect((await texts()).filter(openable)).toEqual([]);
    const { rows: queued } = await running.services.databases.pool.query(
      'select d.state as delivery, l.state, l.mobile_tail from sms_log l join delivery d on d.id = l.delivery_id',
    );
    expect(queued).toEqual([{ delivery: 'cancelled', state: 4, mobile_tail: '5009' }]);
    await eventually(async () => {
      const { sso, wechat } = await running.services.settings.get('interface');
      expect([sso?.['secret'], wechat?.['secret']]).toEqual(['', '']);
    }, 180_000);
    const shown = await admin.get(settings.interfaces);
    expect(JSON.stringify(shown)).toContain('http://127.0.0.1:9');
    for (const path of ['/api/oauth/login_url/', '/api/oauth/wechatlogin/web/'])
      expect((await openBrowser(running.url).ask(path)).code, path).toBe(-1);
    const app = { app: String(made.id), key: made.key };
    expect((await sendSigned(running.url, app, { url: '/api/tickets/' })).code).toBe(401);
    await admin.get(tokens.change, { params: { id: made.id }, body: { status: true } });
    expect((await sendSigned(running.url, app, { url: '/api/tickets/', time: Date.now() + 1 })).code).toBe(401);
    const counted = await admin.get(sms.count, { body: { alumnus_ids: [old!.id], content: '校庆通知' } as never });
    expect(counted).toMatchObject({ valid: 0 });
    const list = await admin.get(sms.optOuts, { query: {} });
    expect(list.value).toMatchObject([{ mobile: '*******5001', reason: '来电要求', holds: false }]);
    await admin.get(sms.optOut, { body: { mobile: '13900055002', reason: '' } });
    expect((await admin.get(sms.optOuts, { query: {} })).value.map((row) => row.holds)).toEqual([true, false]);
  },
);
