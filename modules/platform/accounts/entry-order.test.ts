import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, testPassword, type TestOffice } from '#apps/server/testing.ts';
import type { Asked, Call } from '#kernel/contract/call.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { accounts } from './contract.ts';
import { secondCalls } from './contract/second.ts';
import { appOf } from './second/factor.ts';
import { letInVouched } from './service.ts';
import type { CodeMessage } from './sign-in/phone-code.ts';

let app: TestOffice;
const sent: CodeMessage[] = [];
beforeAll(async () => {
  app = await openTestApp({ sendCode: async (_tx, message) => void (message.reachable && sent.push(message)) });
  await app.admin.get(settings.saveLogin, { body: { phone_login: true } });
});
afterAll(() => app.close());
const rows = (text: string, ...values: unknown[]) => app.services.databases.pool.query(text, values);
beforeEach(() => rows('delete from attempt'));

const ways = ['password', 'phone', 'sso', 'wechat'] as const;
const seconds = ['none', 'enrol', 'code', 'recovery'] as const;
type Way = (typeof ways)[number];
interface Person {
  id: number;
  username: string;
  phone: string;
  password: string;
}

/** Asks with a token, in a browser that keeps no cookie. */
const asker =
  (jwt: string) =>
  <C extends Call>(call: C, asked: Partial<Asked<C>> = {}) =>
    app.stranger.ask(call, asked, { authorization: `JWT ${jwt}` });
type Ask = ReturnType<typeof asker>;

async function comeIn(way: Way, { id, username, phone, password }: Person) {
  if (way === 'password') return (await app.stranger.ask(accounts.login, { body: { username, password } })).data;
  if (way === 'phone') {
    await app.stranger.get(accounts.smsCode, { params: { phone } });
    return (await app.stranger.ask(accounts.login, { body: { phone, code: sent.at(-1)!.code } })).data;
  }
  const { databases, identity, settings: kept } = app.services;
  const caller = {
    origin: { ip: '127.0.0.1', userAgent: 'x', traceId: 'x' } as never,
    cookies: { get: () => undefined, set: () => undefined } as never,
  };
  const login = await kept.get('login');
  return databases.write((tx) => letInVouched(tx, { identity, login }, id, caller, way, { method: 'GET', path: '/' }));
}

const codeOf = (secret: string) => appOf(secret).generate({ timestamp: Date.now() });
async function enrol(ask: Ask, id: number) {
  const { secret } = (await ask(secondCalls.beginSecond, { body: {} })).data;
  const { codes } = (await ask(secondCalls.confirmSecond, { body: { code: codeOf(secret) } })).data;
  // Resets the last step, as if no code had been used yet.
  await rows('update second_factor set last_step = 0 where user_id = $1', id);
  return { secret, codes };
}

let last = 13700000000;
/** A new person, with an app or a one-time password as requested. */
async function newcomer(has: { app: boolean; oneTime: boolean }) {
  const phone = String((last += 1));
  const { id, username } = await app.person({ phone });
  await rows('update app_user set email = $1 where id = $2', `${username}@example.com`, id);
  const person = { id, username, phone, password: testPassword };
  const kept = has.app ? await enrol(asker((await comeIn('sso', person)).jwt), id) : null;
  if (has.oneTime) person.password = (await app.admin.get(users.resetPassword, { params: { id } })).password;
  return { person, kept };
}

const passwordFirst = { code: 4003, msg: expect.stringContaining('请先设置新密码') as string };
const secondFirst = { code: 4003, msg: '请先完成二次验证', data: { second_step: true } };
const change = (ask: Ask, old_password: string, new_password: string) =>
  ask(accounts.changePassword, { body: { old_password, new_password } });
/** Calls of the second step, each with arguments that fail. */
const secondAsked = (ask: Ask) =>
  Promise.all([
    ask(secondCalls.beginSecond, { body: { password: 'Wrong@2026' } }),
    ask(secondCalls.confirmSecond, { body: { code: '000000' } }),
    ask(secondCalls.proveSecond, { body: { code: '000000' } }),
  ]);

describe.each([
  { asked: 0, among: ['none', 'code', 'recovery'] as const },
  { asked: 2, among: ['enrol', 'code', 'recovery'] as const },
])('where the second factor is required of people by rule $asked', ({ asked, among }) => {
  beforeAll(async () => {
    await app.admin.get(settings.saveLogin, { body: { second_step: asked as 0 | 2 } });
    await eventually(async () => {
      const { second_step, phone_login } = await app.services.settings.get('login');
      if (second_step !== asked || !phone_login) throw new Error('the rule does not hold yet');
    });
  });
  afterAll(() => app.admin.get(settings.saveLogin, { body: { second_step: 0 } }));

  const all = ways.flatMap((way) =>
    seconds
      .filter((second) => among.some((one) => one === second))
      .flatMap((second) => [false, true].map((oneTime) => ({ way, second, oneTime }))),
  );
  test.each(all)(
    'signing in by $way with second factor $second and one-time password $oneTime asks first for the new password, then the second factor',
    async ({ way, second, oneTime }) => {
      const { person, kept } = await newcomer({ app: second === 'code' || second === 'recovery', oneTime });
      const answer = await comeIn(way, person);
      const [owesPassword, owesSecond] = [oneTime && (way === 'password' || way === 'phone'), second !== 'none'];
      expect(answer).toMatchObject({
        username: person.username,
        must_change_pwd: owesPassword,
        phone: owesSecond ? '' : person.phone,
        email: owesSecond ? '' : `${person.username}@example.com`,
      });
      const ask = asker(answer.jwt);

      if (owesPassword) {
        for (const refused of await secondAsked(ask)) expect(refused).toMatchObject(passwordFirst);
        expect(await ask(accounts.changeInfo, { body: { office_room: '301' } })).toMatchObject(passwordFirst);
        expect(await ask(accounts.me)).toMatchObject(
          owesSecond
            ? { ...passwordFirst, data: { new_password: true } }
            : { code: 0, data: { must_change_pwd: true } },
        );
        expect(await change(ask, person.password, 'Blue-Kite-77')).toMatchObject({ code: 0 });
      }

      if (owesSecond) {
        expect(await ask(accounts.me)).toMatchObject(secondFirst);
        expect(await change(ask, 'Blue-Kite-77', 'Green-Lake-31')).toMatchObject(secondFirst);
        const { owed } = (await ask(secondCalls.second)).data;
        expect(owed).toBe(second === 'enrol' ? 'enrol' : 'code');
        if (second === 'enrol') expect((await enrol(ask, person.id)).codes.length).toBeGreaterThan(0);
        else {
          const code = second === 'code' ? codeOf(kept!.secret) : kept!.codes[0]!;
          expect(await ask(secondCalls.proveSecond, { body: { code } })).toMatchObject({ code: 0 });
        }
      }

      expect(await ask(accounts.me)).toMatchObject({ code: 0, data: { must_change_pwd: false, phone: person.phone } });
      expect(await ask(accounts.changeInfo, { body: { office_room: '301' } })).toMatchObject({ code: 0 });
    },
  );
});

test('a person who signs out before completing the sign-in is signed out', async () => {
  const { person } = await newcomer({ app: true, oneTime: true });
  const ask = asker((await comeIn('password', person)).jwt);
  expect((await ask(accounts.logout)).code).toBe(0);
  await eventually(async () => expect((await ask(secondCalls.second)).code).toBe(401));
});
