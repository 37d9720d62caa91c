import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, testPassword, type TestOffice } from '#apps/server/testing.ts';
import type { CodeMessage } from './sign-in/phone-code.ts';
import { audit } from '#modules/platform/audit/contract.ts';
import { silenceCopy } from '#modules/platform/deliveries/service.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { accounts, copyIsQuiet } from './contract.ts';
import { forgotten } from './contract/forgotten.ts';
import { secondCalls } from './contract/second.ts';
import { appOf } from './second/factor.ts';
import { solved } from './testing/challenge.ts';

const sent: CodeMessage[] = [];
let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp({ sendCode: async (_tx, message) => void sent.push(message) });
  await app.admin.get(settings.saveInterfaces, {
    body: { mail: { host: 'mail.example.com', from: 'office@example.com' } } as never,
  });
  await ways(['mail']);
});
afterAll(() => app.close());
const rows = async <R extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
  (await app.services.databases.pool.query<R>(text, values)).rows;
beforeEach(() => rows('delete from attempt'));

const ways = (open: ('sms' | 'mail')[]) =>
  eventually(async () => expect((await app.stranger.get(settings.login)).value.forgot_ways).toEqual(open));
async function rule(body: Partial<Awaited<ReturnType<typeof app.services.settings.get<'login'>>>>) {
  await app.admin.get(settings.saveLogin, { body });
  await eventually(async () => expect(await app.services.settings.get('login')).toMatchObject(body));
}
const newPassword = 'Neu#Anfang-2031';
const ask = async (target: string, headers?: Record<string, string>) =>
  app.stranger.ask(forgotten.code, { body: { target, challenge: await solved(app) } }, headers);
const reset = (target: string, code: string, new_password = newPassword) =>
  app.stranger.ask(forgotten.reset, { body: { target, code, new_password } });
const login = (username: string, password: string) =>
  app.stranger.ask(accounts.login, { body: { username, password } });

/** The last code issued for a number or an address, and whether it was sent. */
async function lastFor(target: string): Promise<{ code: string; leaves: boolean }> {
  if (!target.includes('@')) {
    const last = sent.findLast((one) => one.phone === target)!;
    return { code: last.code, leaves: last.reachable };
  }
  const [last] = await rows<{ body: { secret: string; text: string } }>(
    `select body from delivery where target = $1 order by id desc limit 1`,
    target,
  );
  const code = app.services.secretBox.open(last!.body.secret);
  expect(last!.body.text).toContain('******');
  return { code, leaves: code !== '' };
}
const anotherCode = (code: string) => (code === '000000' ? '000001' : '000000');
let serial = 0;
async function somebody(wanted: { active?: boolean } = {}) {
  const phone = `1370000${String(++serial).padStart(4, '0')}`;
  return { phone, ...(await app.person({ phone, ...wanted })) };
}
/** A person who confirmed an address in their profile. */
async function withMail() {
  const person = await somebody();
  const email = `${person.username}@example.com`;
  const me = await app.signIn(person);
  await me.get(forgotten.mailCode, { body: { email } });
  const { code } = await lastFor(email);
  await me.get(forgotten.confirmMail, { body: { email: email.toUpperCase(), code, password: testPassword } });
  return { ...person, email, me };
}

test('a forgotten password is replaced by a code to the person’s phone, which ends all sessions, is logged and reported to them', async () => {
  const { id, username, phone } = await somebody();
  const { data } = await login(username, testPassword);
  const before = { authorization: `JWT ${data.jwt}` };
  expect(await ask(phone)).toMatchObject({
    code: 0,
    data: { expire: 300 },
    msg: '如果有账号可以这样找回密码，验证码已发送',
  });
  expect(sent.at(-1)).toMatchObject({ phone, scene: 'forgot', reachable: true, minutes: 5 });
  const { code } = await lastFor(phone);
  expect(await reset(phone, anotherCode(code))).toMatchObject({ code: -1, msg: '验证码不正确或已失效，请重新获取' });
  expect(await reset(phone, code)).toMatchObject({ code: 0, msg: '密码已修改，请用新密码登录' });
  expect((await login(username, testPassword)).code).toBe(-1);
  expect((await app.stranger.ask(accounts.me, {}, before)).code).toBe(401);
  expect((await login(username, newPassword)).code).toBe(0);
  expect((await reset(phone, code, 'Noch#Einmal-2032')).code, 'a code works once').toBe(-1);
  const { value } = await app.admin.get(audit.list, { query: { user: username, action: '找回密码' } });
  expect(value).toMatchObject([{ user_id: id, result: 0, module: 'accounts', path: '/api/accounts/forgotten/' }]);
  const failed = await app.admin.get(audit.list, { query: { action: '找回密码失败' } });
  expect(failed.value[0]!.title).toMatch(/^137\*{4}\d{4}：验证码不正确/);
  const told = (await (await app.signIn(id)).get(messages.unread)).value.map(({ title }) => title);
  expect(told).toContain('您的登录密码已找回并修改');
});

test('a mail address resets a password only once its owner has confirmed it, and while it is the account’s address', async () => {
  const person = await somebody();
  const unproved = `${person.username}@example.com`;
  const me = await app.signIn(person);
  await me.get(accounts.changeInfo, { body: { email: unproved } });
  await ask(unproved);
  expect(await lastFor(unproved)).toMatchObject({ leaves: false });
  expect(await me.get(accounts.me)).toMatchObject({ email: unproved, email_confirmed: false });

  await rows('delete from attempt');
  const { email, username, me: owner } = await withMail();
  expect(await owner.get(accounts.me)).toMatchObject({ email, email_confirmed: true });
  await rows('delete from attempt');
  await ask(email.toUpperCase());
  expect((await reset(email, (await lastFor(email)).code)).code).toBe(0);
  expect((await login(username, newPassword)).code).toBe(0);

  await rows('delete from attempt');
  const again = await app.signIn(username);
  await again.get(accounts.changeInfo, { body: { email: 'elsewhere@example.com' } });
  await ask(email);
  expect(await lastFor(email)).toMatchObject({ leaves: false });
});

test('an address is confirmed by a code and the password together, and belongs to one account', async () => {
  const { email } = await withMail();
  const other = await app.signIn(await somebody());
  await rows('delete from attempt');
  await other.get(forgotten.mailCode, { body: { email } });
  const { code } = await lastFor(email);
  const confirm = (password: string, typed = code) =>
    other.ask(forgotten.confirmMail, { body: { email, code: typed, password } });
  expect(await confirm('Wrong@12345')).toMatchObject({ code: -1, msg: '登录密码不正确' });
  expect((await confirm(testPassword, anotherCode(code))).code).toBe(-1);
  expect(await confirm(testPassword)).toMatchObject({ code: -1, msg: `邮箱 ${email} 已由其他账号验证，请换一个` });
  expect(await other.get(accounts.me)).toMatchObject({ email: '', email_confirmed: false });
});

test('asking for a reset code answers alike for everybody, and sends nothing for disabled, deleted, built-in or external accounts', async () => {
  const known = await somebody();
  const closed = await somebody({ active: false });
  const gone = await somebody();
  await rows('update app_user set is_deleted = true, is_active = false where id = $1', gone.id);
  const vouched = await somebody();
  await rows(`update app_user set password = 'none:x' where id = $1`, vouched.id);
  await rows(`update app_user set phone = '13700009999' where username = 'admin'`);
  const answer = await ask(known.phone);
  expect(await lastFor(known.phone)).toMatchObject({ leaves: true });
  for (const phone of [closed.phone, gone.phone, vouched.phone, '13700009999', '13700008888']) {
    await rows('delete from attempt');
    expect(await ask(phone)).toEqual(answer);
    expect(await lastFor(phone)).toMatchObject({ leaves: false });
    // Even a guessed code fails, with the reply of a wrong one.
    expect(await reset(phone, (await lastFor(phone)).code)).toEqual(await reset(phone, '000000'));
  }
  const kept = await rows('select target from phone_code where target = $1', '13700008888');
  expect(kept, 'a code is kept for nobody, too').toHaveLength(1);
  await rule({ sso_enabled: true });
  await app.admin.get(settings.saveInterfaces, {
    body: { sso: { type: 'cas', url: 'https://sso.example.com' } } as never,
  });
  await rule({ sso_only: true });
  try {
    await rows('delete from attempt');
    await ask(known.phone);
    expect(await lastFor(known.phone)).toMatchObject({ leaves: false });
  } finally {
    await rule({ sso_only: false });
  }
});

test('the second factor is required after a password reset as before it', async () => {
  const { id, username, phone } = await somebody();
  const me = await app.signIn(id);
  const { secret } = await me.get(secondCalls.beginSecond, { body: { password: testPassword } });
  const totp = appOf(secret).generate({ timestamp: Date.now() });
  await me.get(secondCalls.confirmSecond, { body: { code: totp } });
  await ask(phone);
  expect((await reset(phone, (await lastFor(phone)).code)).code).toBe(0);
  const { data } = await login(username, newPassword);
  const asked = await app.stranger.ask(secondCalls.second, {}, { authorization: `JWT ${data.jwt}` });
  expect(asked.data).toMatchObject({ owed: 'code', enrolled: true });
  expect((await app.stranger.ask(accounts.me, {}, { authorization: `JWT ${data.jwt}` })).code).not.toBe(0);
});

test('a reset password must follow the rules, and a refused one uses up neither the code nor an attempt', async () => {
  const { phone, username } = await somebody();
  await ask(phone);
  const { code } = await lastFor(phone);
  for (const weak of ['short', `${username}-x9`, 'password', testPassword, 'aaaaaaaa', '12345678', 'qwertyui']) {
    const answer = await reset(phone, code, weak);
    expect(answer, weak).toMatchObject({ code: 4000, msg: expect.stringContaining('新密码') });
  }
  expect((await reset(phone, code)).code).toBe(0);
});

test('reset codes need a proof of work, come once a minute a number and limited a day in total, and allow five guesses', async () => {
  const { phone } = await somebody();
  expect(await app.stranger.ask(forgotten.code, { body: { target: phone } })).toMatchObject({
    code: 4029,
    data: { challenge_needed: true },
  });
  expect((await ask(phone)).code).toBe(0);
  expect(await ask(phone)).toMatchObject({ code: 4029, msg: expect.stringContaining('获取验证码') });
  const { code } = await lastFor(phone);
  for (let i = 0; i < 5; i++) {
    await rows(`delete from attempt where kind like 'sign-in%'`);
    expect((await reset(phone, anotherCode(code))).code).toBe(-1);
  }
  await rows(`delete from attempt where kind like 'sign-in%'`);
  expect((await reset(phone, code)).code, 'the right code after five guesses').toBe(-1);
  for (let i = 0; i < 3; i++) await reset(phone, anotherCode(code));
  await rows('delete from attempt');
  await rows(
    `insert into attempt (kind, subject, count, expires_at) values ('code-forgot-all', '', 500, now() + interval '1 hour')`,
  );
  expect((await ask(phone)).code).toBe(4029);
});

const limited = (kind: string, subject: string, count: number) =>
  rows(
    `insert into attempt (kind, subject, count, expires_at) values ($1, $2, $3, now() + interval '1 hour')`,
    kind,
    subject,
    count,
  );

test('resetting a password and confirming an address are not limited by sign-ins from the same office, and the other way round', async () => {
  const { phone } = await somebody();
  await rule({ phone_login: true });
  await limited('code-address', '127.0.0.1', 20);
  expect((await ask(phone)).code).toBe(0);
  const me = await app.signIn(await somebody());
  const mail = (email: string) => me.ask(forgotten.mailCode, { body: { email } });
  expect((await mail('near@example.com')).code).toBe(0);
  expect(await rows(`select count from attempt where kind = 'code-address'`)).toEqual([{ count: 20 }]);
  // Signed-in people are counted one by one; otherwise an address has a limit for this alone.
  await rows('delete from attempt');
  await limited('code-person', String(me.userId), 20);
  const challenge = await solved(app);
  expect((await me.ask(forgotten.mailCode, { body: { email: 'more@example.com', challenge } })).code).toBe(4029);
  await limited('code-forgot-address', '127.0.0.1', 100);
  expect((await ask(phone)).code).toBe(4029);
  const texts = { params: { phone }, query: { scene: 'login' as const, challenge: await solved(app) } };
  expect((await app.stranger.ask(accounts.smsCode, texts)).code).toBe(0);
});

test('codes for one purpose do not use up a number’s limit for another, and mail has its own daily limit', async () => {
  const { phone, id } = await somebody();
  await rule({ phone_login: true });
  const text = () => app.stranger.ask(accounts.smsCode, { params: { phone }, query: { scene: 'login' } });
  expect((await text()).code).toBe(0);
  expect((await text()).code, 'once a minute').toBe(4029);
  expect((await ask(phone)).code).toBe(0);
  await limited('code-mail-all', '', 500);
  const me = await app.signIn(id);
  expect((await me.ask(forgotten.mailCode, { body: { email: 'x@example.com' } })).code).toBe(4029);
  await rows('delete from attempt');
  expect((await me.ask(forgotten.mailCode, { body: { email: 'x@example.com' } })).code).toBe(0);
  expect(await rows(`select count from attempt where kind = 'code-mail-all'`)).toEqual([{ count: 1 }]);
});

test('wrong reset codes raise the required proof of work, like wrong passwords', async () => {
  const { phone } = await somebody();
  await ask(phone);
  for (let i = 0; i < 3; i++) expect((await reset(phone, '000000')).code).toBe(-1);
  expect(await reset(phone, '000000')).toMatchObject({ code: 4029, data: { challenge_needed: true } });
});

test('resetting is unavailable when switched off, without mail, and to addresses that may not sign in', async () => {
  const { phone } = await somebody();
  await rule({ forgot_password: false });
  await ways([]);
  const said = { code: -1, msg: '现在不能用手机号找回密码，请联系管理员重置密码' };
  expect(await ask(phone)).toMatchObject(said);
  expect(await reset(phone, '123456')).toMatchObject(said);
  await rule({ forgot_password: true });
  await app.admin.get(settings.saveInterfaces, { body: { mail: { host: '', from: '' } } as never });
  await ways([]);
  await eventually(async () =>
    expect(await ask('who@example.com')).toMatchObject({
      code: -1,
      msg: '现在不能用邮箱找回密码，请联系管理员重置密码',
    }),
  );
  const me = await app.signIn(await somebody());
  expect((await me.ask(forgotten.mailCode, { body: { email: 'x@example.com' } })).msg).toContain(
    '还没有设置邮件服务器',
  );
});

test('a restored copy that sends nothing offers no reset by text or mail and says why', async () => {
  const { phone, id } = await somebody();
  await rule({ phone_login: true, forgot_password: true });
  await app.admin.get(settings.saveInterfaces, {
    body: { mail: { host: 'mail.example.com', from: 'office@example.com' } } as never,
  });
  await ways(['mail']);
  const me = await app.signIn(id);
  await app.services.databases.write((tx) => silenceCopy(tx, new Date().toISOString()));
  await ways([]);
  const before = await rows('select id from delivery');
  const texts = sent.length;
  const asked = {
    短信: [
      await ask(phone),
      await app.stranger.ask(accounts.smsCode, { params: { phone }, query: { scene: 'login' } }),
      await me.ask(accounts.smsCode, { params: { phone: '13611110000' }, query: { scene: 'change' } }),
    ],
    邮件: [await ask('who@example.com'), await me.ask(forgotten.mailCode, { body: { email: 'x@example.com' } })],
  };
  for (const answer of asked.短信) expect(answer).toRefuse(copyIsQuiet, '短信');
  for (const answer of asked.邮件) expect(answer).toRefuse(copyIsQuiet, '邮件');
  expect(sent).toHaveLength(texts);
  expect(await rows('select id from delivery')).toEqual(before);
});
