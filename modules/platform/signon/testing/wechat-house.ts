import { expect } from 'vitest';
import { openTestApp } from '#apps/server/testing.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { openBrowser, type Browser } from './browser.ts';
import { setUp } from './setup.ts';
import { startWechat } from './wechat.ts';

/** An office with sign-in by WeChat, and its WeChat server. */
export async function openWechatHouse() {
  const codes = new Map<string, string>();
  const app = await openTestApp({
    outgoingAllow: ['127.0.0.0/8'],
    sendCode: async (_tx, { phone, scene, code }) => void codes.set(`${scene}:${phone}`, code),
  });
  const wechat = await startWechat();
  const wechatGroup = { appid: 'wx1', secret: 'wx-secret', url: wechat.url, qr_url: `${wechat.url}/connect/qrconnect` };
  await setUp(app, { wechat_enabled: true }, { wechat: wechatGroup });
  const close = async () => {
    await app.close();
    await wechat.close();
  };

  let serial = 0;
  const phoneOf = () => `139000${String(10_000 + ++serial).padStart(5, '0')}`;
  const path = '/api/oauth/wechatlogin/web/';
  const scan = async (browser: Browser, redirect = '') => {
    const { url } = (await browser.ask(`${path}?redirect=${encodeURIComponent(redirect)}`)).data as { url: string };
    return browser.travel(url);
  };
  const finish = (browser: Browser, query: URLSearchParams | Record<string, string>) =>
    browser.ask(`${path}?${new URLSearchParams(query as Record<string, string>).toString()}`);
  const codeTo = async (phone: string, scene: 'bind' | 'login' = 'bind') => {
    await app.services.databases.write((tx) => tx.execute(`delete from attempt`));
    await app.stranger.get(accounts.smsCode, { params: { phone }, query: { scene } });
    return codes.get(`${scene}:${phone}`) ?? '000000';
  };
  const bind = (browser: Browser, bind_token: unknown, phone: string, code: string) =>
    browser.ask('/api/oauth/bind/phone/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ bind_token, phone, code }),
    });
  /** A person bound to a WeChat identity by phone, and the token of their session. */
  const bound = async (openid: string, unionid?: string) => {
    const phone = phoneOf();
    const person = await app.person({ phone });
    wechat.person.openid = openid;
    wechat.person.unionid = unionid;
    const browser = openBrowser(app.url);
    const { data } = await finish(browser, await scan(browser));
    const answer = await bind(browser, data['bind_token'], phone, await codeTo(phone));
    expect(answer.code).toBe(0);
    return { ...person, phone, jwt: String(answer.data['jwt']) };
  };
  return { app, wechat, path, phoneOf, scan, finish, codeTo, bind, bound, close };
}
