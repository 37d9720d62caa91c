import fc from 'fast-check';
import Fastify from 'fastify';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { secureHeaders } from '#kernel/server/http/headers.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import { wireSchema, type Json } from '#kernel/server/testing/sample.ts';
import { ask, bodyFor, each, named, nowhere, turnOf, type Answer } from './testing/asking.ts';
import { requestsTo } from './testing/fuzz.ts';
import { openWalk, unlimited, type Walk } from './testing/walk.ts';
import type { TestOffice } from './testing.ts';

vi.setConfig({ testTimeout: unlimited });

let app: TestOffice;
let mounted: readonly Mounted[];
let asAdmin: Walk['asAdmin'];
beforeAll(async () => {
  ({ app, mounted, asAdmin } = await openWalk());
});
afterAll(() => app.close());

/** The refusal of strangers; an external protocol has its own form. */
const strangerIsTold = ({ call: { access } }: Mounted) =>
  access.kind === 'protocol' ? { status: 401, code: null } : { status: 200, code: 401 };

describe('every call', () => {
  test('refuses strangers, cookies and tokens in other places, with and without the last slash', async () => {
    const { token } = await app.signIn('admin');
    const disguises: Record<string, string>[] = [
      { cookie: `Admin-Token=${token}; token=${token}; Authorization=JWT%20${token}` },
      { authorization: `Bearer ${token}` },
      { authorization: `JWT ${token}x` },
      { authorization: `JWT ${btoa('{"alg":"none"}')}.${btoa('{"sub":"1"}')}.` },
      { 'x-authorization': `JWT ${token}` },
    ];
    await each(
      mounted.filter(({ call }) => call.access.kind !== 'public'),
      async (one, at) => {
        const refused = async (path: string, headers?: Record<string, string>) => {
          const { status, code } = await ask(app.stranger, one.call, path, bodyFor(one.call, {}), headers);
          expect({ call: named(one), status, code }).toEqual({ call: named(one), ...strangerIsTold(one) });
        };
        await refused(nowhere(one.call));
        await refused(nowhere(one.call).replace(/\/$/, ''));
        await refused(`${nowhere(one.call)}?token=${token}&jwt=${token}`);
        for (const headers of turnOf(disguises, at, 5)) await refused(nowhere(one.call), headers);
      },
    );
  });

  test('refuses people who were disabled or signed out', async () => {
    const person = await app.person({ roles: ['super_admin'] });
    const disabled = await app.signIn(person);
    await app.services.databases.write((tx) =>
      tx.execute(sql`update app_user set is_active = false where id = ${person.id}`),
    );
    const ended = await app.signIn('admin');
    await app.services.databases.write((tx) =>
      tx.execute(sql`update session set ended_at = now() where user_id = ${ended.userId}`),
    );
    await each(
      mounted.filter(({ call }) => call.access.kind !== 'public'),
      async (one) => {
        for (const client of [disabled, ended]) {
          const { status, code } = await ask(client, one.call, nowhere(one.call), bodyFor(one.call, {}));
          expect({ status, code }, named(one)).toEqual(strangerIsTold(one));
        }
      },
    );
  });

  test('answers the same with and without the last slash', async () => {
    await each(mounted, async (one) => {
      const path = nowhere(one.call, 0);
      const asked = (to: string) => asAdmin(one.call, `${to}?per_page=x`, bodyFor(one.call, null));
      const plain = await asked(path);
      const bare = await asked(path.replace(/\/$/, ''));
      expect(bare.status, named(one)).toBe(plain.status);
      if (bare.code !== codes.tooMany) expect(bare.code, named(one)).toBe(plain.code);
    });
  });

  test('answers nonsense with a refusal and never with a fault', async () => {
    const hostile = [
      '',
      ' ',
      'a'.repeat(5000),
      '\u0000',
      "'; drop table app_user; --",
      -1,
      1e300,
      0.5,
      true,
      null,
      [],
      {},
      [[[]]],
      '\ud800',
      '２０２６',
    ];
    await each(mounted, async (one, at) => {
      const { call } = one;
      const check = async (path: string, body?: string) => {
        const answer = await asAdmin(call, path, body);
        const fault = answer.status >= 500 || answer.code === codes.fault;
        expect(fault, `${named(one)} ${path.slice(0, 200)} ${body?.slice(0, 200) ?? ''}`).toBe(false);
        expect(answer.text, named(one)).not.toMatch(/node_modules|\bat .*:\d+:\d+|syntax error|select .* from/i);
        return answer;
      };
      const base = nowhere(call);
      if (call.path.includes('{'))
        for (const id of turnOf(
          [0, '99999999999999999999', 2_147_483_647, '١', '1%00', '%F0%9F%98%80', '1,2'],
          at,
          3,
        )) {
          const answer = await check(base.replace(/999999|\bx\b/g, String(id)), bodyFor(call, {}));
          if (call.access.kind !== 'public') expect(answer.code, `${named(one)} ${id}`).not.toBe(0);
        }
      if (call.query) {
        const names = Object.keys((wireSchema(call.query)['properties'] ?? {}) as Json);
        for (const value of turnOf(['x', '-1', '1e9', '%00', "'", '%F0%9F%98%80', '9'.repeat(400)], at, 3))
          await check(
            `${base}?${names
              .filter((name) => name !== 'export')
              .map((name) => `${name}=${value}`)
              .join('&')}`,
            bodyFor(call, {}),
          );
        await check(
          `${base}?${names.map((name) => `${name}=1&${name}=2&${name}[]=3&${name}[a]=4`).join('&')}`,
          bodyFor(call, {}),
        );
        if (names.includes('search_value')) await check(`${base}?search_value=%00`);
        if (names.includes('per_page')) {
          expect((await check(`${base}?per_page=101`)).code, named(one)).toBe(codes.invalid);
          expect((await check(`${base}?order_by=password`)).code, named(one)).toBe(codes.invalid);
        }
      }
      if (call.body && !call.upload) {
        const schema = wireSchema(call.body);
        const names = Object.keys((schema['properties'] ?? {}) as Json);
        for (const body of turnOf(['null', '[]', '"x"', '7', '{', '[[[[', '{"a":1}x'], at, 3))
          expect((await check(base, body)).code, `${named(one)} ${body}`).not.toBe(codes.fault);
        for (const value of turnOf(hostile, at, 3))
          await check(base, JSON.stringify(Object.fromEntries(names.map((name) => [name, value]))));
      }
    });
  });
});

describe('the security headers', () => {
  const always: Record<string, RegExp> = {
    'content-security-policy': /default-src/,
    'x-content-type-options': /^nosniff$/,
    'x-frame-options': /^DENY$/,
    'referrer-policy': /^same-origin$/,
    'cross-origin-opener-policy': /^same-origin$/,
    'cross-origin-resource-policy': /^same-origin$/,
    'permissions-policy': /./,
    'cache-control': /no-store/,
  };
  const whole = (answer: Answer, what: string) => {
    for (const [name, value] of Object.entries(always))
      expect(answer.headers.get(name), `${what}: ${name}`).toMatch(value);
    expect(answer.headers.get('x-powered-by'), what).toBeNull();
    // A proxy gives its name and nothing more.
    expect(['nginx', null], what).toContain(answer.headers.get('server'));
    if (app.nodes.length === 1) expect(answer.headers.get('server'), what).toBeNull();
    expect(answer.headers.get('access-control-allow-origin'), what).toBeNull();
    expect(answer.headers.get('set-cookie'), what).toBeNull();
  };

  test('are on the answers of every call', async () => {
    await each(mounted, async (one) => {
      whole(await ask(app.stranger, one.call, nowhere(one.call), bodyFor(one.call, {})), named(one));
      whole(await asAdmin(one.call, nowhere(one.call), bodyFor(one.call, {})), named(one));
      if (one.call.exports) whole(await asAdmin(one.call, `${one.call.path}?export=xlsx`), `${named(one)} export`);
    });
  });

  test('are on answers to unknown paths and to oversized, unreadable or wrongly typed bodies', async () => {
    const to = '/api/accounts/log/clear/';
    whole(await ask(app.admin, { method: 'GET' }, '/api/no/such/call/'), '404');
    whole(await ask(app.admin, { method: 'GET' }, '/api'), '/api');
    whole(await ask(app.admin, { method: 'PATCH' }, to, '{'), 'unreadable');
    whole(await ask(app.admin, { method: 'DELETE' }, to, `"${'x'.repeat(1_100_000)}"`), '413');
    whole(await ask(app.admin, { method: 'DELETE' }, to, '<a/>', { 'content-type': 'text/xml' }), '415');
    // A proxy refuses such an address itself, before the call is known.
    whole(await ask(app.admin.at(app.nodes[0]!), { method: 'GET' }, '/api/%'), 'bad escape');
  });

  test('require encryption if the address is https', async () => {
    const server = Fastify();
    server.addHook('onRequest', secureHeaders(true));
    const { headers } = await server.inject('/api/');
    expect(headers['strict-transport-security']).toMatch(/max-age=31536000/);
  });
});

/** By night a thousand requests to each call. */
const runs = Number(process.env['FUZZ_RUNS'] ?? (process.env['NIGHTLY'] ? 1000 : 2));
const seed = Number(process.env['FUZZ_SEED'] ?? (process.env['NIGHTLY'] ? Date.now() % 1_000_000 : 7));

// Last, because some of the requests take effect. An answer that does not fit its contract counts as a fault, because the contract parses every
// answer.
test('no call answers random valid or nearly valid requests with a fault', async () => {
  const outward = /\/(test|discover|sync)\/|\/oauth\//;
  const answers = new Map<number | null, number>();
  await each(
    mounted.filter(({ call }) => !outward.test(call.path)),
    async (one) => {
      for (const { path, body } of fc.sample(requestsTo(one.call), { numRuns: runs, seed })) {
        const answer = await asAdmin(one.call, path, body);
        answers.set(answer.code, (answers.get(answer.code) ?? 0) + 1);
        const fault = answer.status >= 500 || answer.code === codes.fault;
        expect(
          fault,
          `FUZZ_SEED=${seed} ${named(one)} ${path.slice(0, 500)} ${body?.slice(0, 500) ?? ''} ${answer.text.slice(0, 200)}`,
        ).toBe(false);
      }
    },
  );
  process.stdout.write(`random calls, answers by code: ${JSON.stringify([...answers])}\n`);
});
