import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, testPassword, type TestOffice } from '#apps/server/testing.ts';
import { pathOf, type Asked, type Call } from '#kernel/contract/call.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { accounts } from './contract.ts';
import { recoveryCodes, secondCalls } from './contract/second.ts';
import { appOf, forgetSecondFactors } from './second/factor.ts';
import { letInVouched } from './service.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
const rows = async <R extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
  (await app.services.databases.pool.query<R>(text, values)).rows;
beforeEach(() => rows('delete from attempt'));

const signIn = async (username: string, headers: Record<string, string> = {}) => {
  const { data, msg } = await app.stranger.ask(accounts.login, { body: { username, password: testPassword } }, headers);
  expect(msg).toBe('成功');
  return asker(data.jwt);
};
/** Asks with a token, in a browser that keeps no cookie. */
const asker =
  (jwt: string) =>
  <C extends Call>(call: C, asked: Partial<Asked<C>> = {}) =>
    app.stranger.ask(call, asked, { authorization: `JWT ${jwt}` });
type Ask = ReturnType<typeof asker>;
/** Somebody who signs in through another server: the same entry, without checking a password. */
async function comeIn({ id }: { id: number }, way: 'sso' | 'wechat' = 'sso'): Promise<Ask> {
  const { databases, identity, settings: kept } = app.services;
  const cookies = { get: () => undefined, set: () => undefined } as never;
  const origin = { ip: '127.0.0.1', userAgent: 'x', traceId: 'x' } as never;
  const login = await kept.get('login');
  const { jwt } = await databases.write((tx) =>
    letInVouched(tx, { identity, login }, id, { origin, cookies }, way, { method: 'GET', path: '/' }),
  );
  return asker(jwt);
}
const codeAt = (secret: string, steps = 0) => appOf(secret).generate({ timestamp: Date.now() + steps * 30_000 });
/** Resets the last step, as if no code had been used yet. */
const unspent = (id: number) => rows('update second_factor set last_step = 0 where user_id = $1', id);

async function enrol(ask: Ask, id: number) {
  const { data } = await ask(secondCalls.beginSecond, { body: { password: testPassword } });
  const done = await ask(secondCalls.confirmSecond, { body: { code: codeAt(data.secret) } });
  expect(done.msg).toContain('二次验证已开启');
  await unspent(id);
  return { secret: data.secret, qr: data.qr, codes: done.data.codes };
}
async function enrolled() {
  const person = await app.person();
  return { ...person, ...(await enrol(await comeIn(person), person.id)) };
}
const prove = (ask: Ask, code: string) => ask(secondCalls.proveSecond, { body: { code } });
const isIn = async (ask: Ask) => (await ask(accounts.me)).code === 0;

test('a person with an authenticator app signs in with its code only after the password, and not with the session before', async () => {
  const who = await enrolled();
  expect(who.qr).toMatch(/^data:image\/png;base64,/);
  const [kept] = await rows<{ secret: string }>('select secret from second_factor where user_id = $1', who.id);
  expect(kept!.secret).not.toContain(who.secret);
  const ask = await signIn(who.username);
  expect((await ask(secondCalls.second)).data).toEqual({
    owed: 'code',
    enrolled: true,
    required: false,
    left: recoveryCodes,
  });
  expect(await prove(ask, '000000')).toMatchObject({ code: -1, msg: expect.stringContaining('动态码不正确') });
  expect((await prove(ask, codeAt(who.secret))).code).toBe(0);
  expect(await isIn(ask)).toBe(true);
  expect((await ask(secondCalls.second)).data.owed).toBeNull();
  expect(await prove(ask, '000000')).toMatchObject({ code: 4010, msg: '本次登录已完成验证，无需再次验证' });
});

test('a session before its second factor may call only what leads on, and is a stranger at public calls', async () => {
  const who = await enrolled();
  const { data: half } = await app.stranger.ask(accounts.login, {
    body: { username: who.username, password: testPassword },
  });
  const ask = asker(half.jwt);
  const closed = app.services.product
    .calls()
    .filter(({ access }) => access.kind !== 'public' && access.kind !== 'protocol');
  const answers = async (call: Call) => {
    const params = Object.fromEntries([...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '1']));
    const answer = await app.stranger.fetch(pathOf(call, params as never), {
      method: call.method,
      headers: { authorization: `JWT ${half.jwt}`, 'content-type': 'application/json' },
      ...(call.method === 'GET' ? {} : { body: '{}' }),
    });
    const said = (await answer.json().catch(() => ({}))) as { code?: number; data?: { second_step?: boolean } };
    return said.code !== 4003 || said.data?.second_step !== true;
  };
  const open = new Set<string>();
  for (let at = 0; at < closed.length; at += 50) {
    const some = closed.slice(at, at + 50);
    const answered = await Promise.all(some.map(answers));
    for (const [index, call] of some.entries()) if (answered[index]) open.add(call.path);
  }
  expect([...open].toSorted()).toEqual(
    ['', 'begin/', 'confirm/', 'prove/'].map((end) => `/api/accounts/second/${end}`).toSorted(),
  );
  // Settings for signed-in people are not shown yet.
  const shown = (await ask(settings.login)).data.value;
  expect(shown).not.toHaveProperty('ip_whitelist');
  expect(await ask(secondCalls.beginSecond, { body: { password: testPassword } })).toMatchObject({ code: 4010 });
  expect(await ask(secondCalls.confirmSecond, { body: { code: codeAt(who.secret) } })).toMatchObject({ code: 4010 });
  expect(await isIn(ask)).toBe(false);
}, 180_000);

test('an authenticator code signs in once, and afterwards neither again nor with an earlier code', async () => {
  const who = await enrolled();
  const [first, second, third] = [await comeIn(who), await comeIn(who), await comeIn(who)];
  const code = codeAt(who.secret);
  const answers = await Promise.all([first, second].map((ask) => prove(ask, code)));
  expect(answers.map((answer) => answer.code).toSorted()).toEqual([-1, 0]);
  expect((await prove(third, code)).code).toBe(-1);
  expect((await prove(third, codeAt(who.secret, -1))).code).toBe(-1);
  expect((await prove(third, codeAt(who.secret, -4))).code).toBe(-1);
  expect((await prove(third, codeAt(who.secret, 1))).code).toBe(0);
});

test('guessing codes ends after five attempts over all sessions, and does not block a recovery code', async () => {
  const who = await enrolled();
  const guesses = await Promise.all(Array.from({ length: 8 }, async () => prove(await comeIn(who), '123456')));
  expect(guesses.filter((answer) => answer.code === -1)).toHaveLength(5);
  expect(guesses.filter((answer) => answer.code === 4029)).toHaveLength(3);
  const ask = await comeIn(who);
  expect((await prove(ask, codeAt(who.secret))).code).toBe(4029);
  expect((await prove(ask, who.codes[0]!)).code).toBe(0);
  await rows(`update attempt set count = 31 where kind = 'second-step-day'`);
  await rows(`delete from attempt where kind = 'second-step'`);
  expect((await prove(await comeIn(who), codeAt(who.secret))).code).toBe(4029);
});

test('a recovery code signs in once, is reported, is stored only as a hash, and new codes replace the old', async () => {
  const who = await enrolled();
  const [code, other] = who.codes as [string, string];
  const asks = await Promise.all([1, 2].map(() => comeIn(who)));
  const answers = await Promise.all(asks.map((ask) => prove(ask, code.toUpperCase())));
  expect(answers.map((answer) => answer.code).toSorted()).toEqual([-1, 0]);
  const ask = asks[answers.findIndex((answer) => answer.code === 0)]!;
  expect((await ask(secondCalls.second)).data.left).toBe(recoveryCodes - 1);
  const kept = await rows<{ hash: string }>('select hash from recovery_code where user_id = $1', who.id);
  expect(JSON.stringify(kept)).not.toContain(code.replaceAll('-', ''));
  expect((await ask(messages.unread)).data.value.map((one) => one.title)).toContain('一个恢复码已用于登录');
  expect((await ask(secondCalls.renewCodes, { body: { code: codeAt(who.secret) } })).data.codes).toHaveLength(
    recoveryCodes,
  );
  expect((await prove(await comeIn(who), other)).code).toBe(-1);
  const stranger = await enrolled();
  expect((await prove(await comeIn(who), stranger.codes[0]!)).code).toBe(-1);
});

/** The full-width signs that a Chinese keyboard types. */
const wide = (text: string) => text.replace(/[!-~]/g, (sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0));

test('an authenticator code is accepted in any width and grouping, by every call that takes one', async () => {
  const who = await app.person();
  const ask = await comeIn(who);
  const { data } = await ask(secondCalls.beginSecond, { body: {} });
  const inThrees = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`;
  const confirmed = await ask(secondCalls.confirmSecond, { body: { code: wide(inThrees(codeAt(data.secret))) } });
  expect(confirmed.msg).toContain('二次验证已开启');
  const typings: ((code: string) => string)[] = [
    (code) => code,
    inThrees,
    wide,
    (code) => wide(inThrees(code)),
    (code) => `　${[...code].join('\u00A0')}\u200B`,
    (code) => code.replace(/(..)(?=.)/g, '$1－'),
  ];
  for (const typed of typings) {
    await unspent(who.id);
    expect(await prove(await comeIn(who), typed(codeAt(data.secret)))).toMatchObject({ code: 0 });
  }
  const spoken = confirmed.data.codes;
  const groupings: ((code: string) => string)[] = [
    (code) => wide(code),
    (code) => code.replaceAll('-', ' '),
    (code) => code.replaceAll('-', '—'),
    (code) => wide(code.replaceAll('-', '').toUpperCase()),
    (code) => [...code.replaceAll('-', '')].join(' '),
  ];
  for (const [at, typed] of groupings.entries())
    expect(await prove(await comeIn(who), typed(spoken[at]!))).toMatchObject({ code: 0 });
  await unspent(who.id);
  const renewed = await ask(secondCalls.renewCodes, { body: { code: wide(codeAt(data.secret)) } });
  expect(renewed.data.codes).toHaveLength(recoveryCodes);
  await unspent(who.id);
  expect((await ask(secondCalls.endSecond, { body: { code: inThrees(codeAt(data.secret)) } })).code).toBe(0);
});

test('text that cannot be a code counts as a wrong code, whatever its characters', async () => {
  const who = await enrolled();
  for (const code of ['١٢٣٤٥٦', '一二三四五六', '😀😀😀', 'éééééé', '12345６７', '𝟙', '------x']) {
    await rows('delete from attempt');
    expect(await prove(await comeIn(who), code)).toMatchObject({ code: -1, msg: expect.stringContaining('动态码') });
  }
  expect(await prove(await comeIn(who), ' － ')).toMatchObject({ code: 4000 });
});

test('no other way of signing in bypasses the second factor', async () => {
  const who = await enrolled();
  for (const way of ['sso', 'wechat'] as const) expect(await isIn(await comeIn(who, way))).toBe(false);
});

test('where required, administrators must set up the second factor first and cannot end it; others need not have it', async () => {
  const [admin, clerk] = [
    await app.clerk({ 'system/user': ['Retrieve', 'Update'] }),
    await app.clerk({ 'system/log': ['Retrieve'] }),
  ];
  await app.admin.get(settings.saveLogin, { body: { second_step: 1 } });
  await eventually(async () => expect((await app.services.settings.get('login')).second_step).toBe(1));
  try {
    expect(await isIn(await comeIn({ id: clerk.userId }))).toBe(true);
    const ask = await comeIn({ id: admin.userId });
    expect((await ask(secondCalls.second)).data).toMatchObject({ owed: 'enrol', required: true });
    expect(await isIn(ask)).toBe(false);
    expect(await prove(ask, '123456')).toMatchObject({ code: 4010, msg: '还没有绑定验证器，请先扫描二维码' });
    const { secret } = await enrol(ask, admin.userId);
    expect(await isIn(ask)).toBe(true);
    expect(await ask(secondCalls.endSecond, { body: { code: codeAt(secret) } })).toMatchObject({ code: -1 });
    // Sessions elsewhere have ended.
    expect((await admin.ask(accounts.me)).code).toBe(401);
  } finally {
    await app.admin.get(settings.saveLogin, { body: { second_step: 0 } });
  }
});

test('the second factor is set up and ended by its owner with password and code, and reset by an administrator if lost', async () => {
  const person = await app.person();
  const ask = await signIn(person.username);
  expect((await ask(secondCalls.beginSecond, { body: {} })).msg).toContain('请填写登录密码');
  expect((await ask(secondCalls.beginSecond, { body: { password: 'Wrong@2026' } })).code).toBe(-1);
  const { secret } = await enrol(ask, person.id);
  expect((await ask(secondCalls.endSecond, { body: { code: '000000' } })).code).toBe(-1);
  expect((await ask(secondCalls.endSecond, { body: { code: codeAt(secret) } })).code).toBe(0);
  expect(await isIn(await signIn(person.username))).toBe(true);

  const lost = await enrolled();
  const half = await comeIn(lost);
  const forget = (who: typeof app.admin, id: number) => who.ask(users.forgetSecond, { params: { id } });
  expect((await forget(await app.clerk({ 'system/user': ['Retrieve'] }), lost.id)).code).toBe(4003);
  expect((await forget(app.admin, app.admin.userId)).code).toBe(4003);
  expect((await forget(app.admin, lost.id)).code).toBe(0);
  expect((await half(secondCalls.second)).code).toBe(401);
  expect(await isIn(await comeIn(lost))).toBe(true);
  expect((await forget(app.admin, lost.id)).msg).toContain('没有开启二次验证');
});

test('setting up and using the second factor is logged', async () => {
  const who = await enrolled();
  await prove(await comeIn(who), codeAt(who.secret));
  const logged = await rows<{ title: string }>(`select title from log where user_id = $1 order by id`, who.id);
  const said = logged.map((row) => row.title ?? '').join('\n');
  for (const part of ['开启二次验证', '，待二次验证', '动态码']) expect(said).toContain(part);
});

test('the protected edition is one switch, and the self-check lists what is still missing', async () => {
  const met = async () => {
    const { on, value } = await app.admin.get(secondCalls.protection);
    return [on, Object.fromEntries(value.map((one) => [one.title, one.met]))] as const;
  };
  expect(await met()).toMatchObject([false, { 密码规则: false, 二次验证: false, 三员分立: false, 水印: false }]);
  await app.admin.get(settings.saveLogin, { body: { dengbao: true } });
  await eventually(async () => expect((await met())[0]).toBe(true));
  expect(await met()).toMatchObject([
    true,
    { 密码规则: true, 登录失败: true, 登录状态: true, 日志保留: true, 二次验证: false, 三员分立: false },
  ]);
  await rows(
    `insert into second_factor (user_id, secret, confirmed_at) select id, 'x', now() from app_user on conflict do nothing`,
  );
  for (const role of ['org_admin', 'auditor']) await app.person({ roles: [role] });
  await rows(
    `insert into second_factor (user_id, secret, confirmed_at) select id, 'x', now() from app_user on conflict do nothing`,
  );
  expect((await met())[1]).toMatchObject({ 二次验证: true, 三员分立: true });
  await app.person({ roles: ['org_admin', 'auditor'] });
  expect((await met())[1]).toMatchObject({ 三员分立: false });
  await app.services.databases.write(forgetSecondFactors);
  expect(await rows('select 1 from second_factor')).toEqual([]);
});
