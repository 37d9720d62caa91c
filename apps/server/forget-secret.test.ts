import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { alumnusTable } from '#modules/alumni/tables.ts';
import { settings } from '#modules/settings/contract.ts';
import { setUp } from '#modules/signon/testing/setup.ts';
import { openBrowser } from '#modules/signon/testing/browser.ts';
import { sms } from '#modules/sms/contract.ts';
import { tokens } from '#modules/tokens/contract.ts';
import { sendSigned } from '#modules/tokens/testing/signed.ts';
import { noticeCalls } from '#modules/workflows/contract/notices.ts';
import { openTestOffice, type TestOffice } from './testing.ts';

let office: TestOffice;
beforeAll(async () => {
  office = await openTestOffice({ outgoingAllow: ['127.0.0.0/8'] });
});
afterAll(() => office.close());

const phone = '13900055001';
const texts = async () => {
  const { rows } = await office.services.databases.pool.query(`
    select value::text as kept from setting where key = 'interface' union all select key from app_token union all
    select hook_token || corpsecret || appsecret from custom_notice union all select mobile from alumnus union all
    select mobile from sms_opt_out union all select mobile from sms_log`);
  return rows.map(({ kept }: { kept: string | null }) => kept ?? '');
};
const openable = (text: string) =>
  [...text.matchAll(/[\w-]{38,}/g)].some(([sealed]) => {
    try {
      office.services.secretBox.open(sealed);
      return true;
    } catch {
      return false;
    }
  });

test(
  'what the lost secret had sealed is gone with it: nothing ends in a fault, and each place says what to do',
  { timeout: 60_000 },
  async () => {
    const { admin } = office;
    const { seal, mark } = office.services.secretBox;
    const sso = {
      type: 'oidc',
      url: 'http://127.0.0.1:9',
      client_id: 'we',
      secret: 'sso-secret',
      claim: '',
      match: '',
    };
    await setUp(office, { sso_enabled: true }, { sso });
    await setUp(office, { wechat_enabled: true }, { wechat: { appid: 'wx1', secret: 'wx-secret' } });
    const made = await admin.get(tokens.addToken, { body: { app_name: '旧应用', apis: ['GET /api/tickets/'] } });
    const [old] = await office.services.databases.write((tx) =>
      tx
        .insert(alumnusTable)
        .values({
          name: '李若兰',
          studentNo: '2014001',
          creatorId: admin.userId,
          search: '',
          mobile: seal(phone),
          mobileMark: mark(phone),
          mobileTail: phone.slice(-4),
          consentSms: true,
          consentAt: '2024-06-01',
          consentFrom: '返校登记表',
        })
        .returning({ id: alumnusTable.id }),
    );
    await admin.get(sms.optOut, { body: { mobile: phone, reason: '来电要求' } });
    await admin.get(noticeCalls.addNotice, {
      body: {
        name: '外部系统',
        type_id: 1,
        hook_url: 'https://hook.example.cn/in',
        hook_token: 'hook-secret',
      } as never,
    });
    const send_at = new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 16);
    await admin.get(sms.send, { body: { mobiles: '13900055009', content: '后天开会', send_at } as never });
    expect((await texts()).filter(openable)).toHaveLength(6);
    const env = { ...process.env, DATABASE_URL: office.databaseUrl, DATA_DIR: office.folder };
    const told = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'forget-secret.ts')], { env });
    expect(told.stdout).toContain('接口设置里的密码与密钥');
    expect(told.stdout).toContain('停用的应用令牌');
    expect(told.stdout).toContain('重新导入校友的手机号');
    expect(told.stdout).toContain('退订名单里标为“失效”的号码');
    expect((await texts()).filter(openable)).toEqual([]);
    const { rows: queued } = await office.services.databases.pool.query(
      'select d.state as delivery, l.state, l.mobile_tail from sms_log l join delivery d on d.id = l.delivery_id',
    );
    expect(queued).toEqual([{ delivery: 'cancelled', state: 4, mobile_tail: '5009' }]);
    await vi.waitFor(async () => {
      const { sso, wechat } = await office.services.settings.get('interface');
      expect([sso?.['secret'], wechat?.['secret']]).toEqual(['', '']);
    }, 10_000);
    const shown = await admin.get(settings.interfaces);
    expect(JSON.stringify(shown)).toContain('http://127.0.0.1:9');
    for (const path of ['/api/oauth/login_url/', '/api/oauth/wechatlogin/web/'])
      expect((await openBrowser(office.url).ask(path)).code, path).toBe(-1);
    const app = { app: String(made.id), key: made.key };
    expect((await sendSigned(office.url, app, { url: '/api/tickets/' })).code).toBe(401);
    await admin.get(tokens.changeToken, { params: { id: made.id }, body: { status: true } });
    expect((await sendSigned(office.url, app, { url: '/api/tickets/', time: Date.now() + 1 })).code).toBe(401);
    const counted = await admin.get(sms.count, { body: { alumnus_ids: [old!.id], content: '校庆通知' } as never });
    expect(counted).toMatchObject({ valid: 0 });
    const list = await admin.get(sms.optOuts, { query: {} });
    expect(list.value).toMatchObject([{ mobile: '*******5001', reason: '来电要求', holds: false }]);
    await admin.get(sms.optOut, { body: { mobile: '13900055002', reason: '' } });
    expect((await admin.get(sms.optOuts, { query: {} })).value.map((row) => row.holds)).toEqual([true, false]);
  },
);
