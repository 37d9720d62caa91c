import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { pino } from 'pino';
import { z } from 'zod';
import { call, everyone, fileReply, grant, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { idParams, listOf, listQuery, name } from '#kernel/contract/shapes.ts';
import { createApp, type App } from '#kernel/server/http/app.ts';
import { createAttempts } from '#kernel/server/access/attempts.ts';
import type { Services } from '#kernel/server/services.ts';
import { createAcknowledgedWrites } from '#kernel/server/live/acknowledged.ts';
import { openBus } from '#kernel/server/live/bus.ts';
import { openDatabases } from '#kernel/server/db/db.ts';
import { implement, staged, type AuditEntry } from '#kernel/server/http/implement.ts';
import { createSecretBox } from '#kernel/server/process/secret-box.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { cloneTemplate } from '../testing.ts';

const full = refusal(codes.refused, (word: string) => `“${word}”已满`);
export const probeSecret = 'the secret of the probe, known to tests alone';
const page = 'probe/list';
const table = pgTable('probe', { id: integer().notNull(), word: text().notNull() });
const Row = z.object({ id: z.number(), word: z.string() });

const probes = {
  list: call({
    method: 'GET',
    path: '/api/probe/',
    access: grant('Retrieve', page),
    summary: '查看样例',
    query: listQuery({ sort: ['id'] }),
    reply: listOf(Row),
    exports: { page, title: '样例', columns: [{ key: 'word', title: '词' }] },
  }),
  add: call({
    method: 'POST',
    path: '/api/probe/',
    access: grant('Create', page),
    summary: '新增样例',
    body: z.object({ word: name(5).meta({ title: '词' }), mode: z.enum(['keep', 'refuse', 'break']).default('keep') }),
    reply: Row,
  }),
  sneak: call({ method: 'GET', path: '/api/probe/sneak/', access: signedIn, summary: '偷写', reply: z.null() }),
  mark: call({
    method: 'GET',
    path: '/api/probe/{id}/mark/',
    access: signedIn,
    summary: '打开时标记',
    params: idParams,
    reply: z.object({ id: z.number() }),
    writes: true,
  }),
  slow: call({
    method: 'POST',
    path: '/api/probe/slow/',
    access: signedIn,
    summary: '先算后存',
    reply: z.object({ held: z.number() }),
  }),
  file: call({
    method: 'GET',
    path: '/api/probe/file/',
    access: signedIn,
    summary: '不出字节的文件',
    reply: fileReply,
  }),
  open: call({
    method: 'GET',
    path: '/api/probe/open/',
    access: everyone,
    summary: '公开',
    reply: z.object({ who: z.string() }),
  }),
};

const person = (id: number, grants: Viewer['grants'] = new Map()): Viewer => ({
  id,
  username: `p${id}`,
  alias: `人${id}`,
  depts: [],
  places: [],
  sessionId: id,
  superAdmin: false,
  mustChangePassword: false,
  roleIds: [],
  roleCodes: new Set(),
  grants,
});
const all = { all: true, depts: new Set<number>() };
const everything: Viewer['grants'] = new Map([
  [
    page,
    new Map([
      ['Retrieve', all],
      ['Create', all],
      ['daochu', all],
    ]),
  ],
]);
const people: Record<string, Viewer> = {
  holder: person(1, everything),
  keeper: person(5, everything),
  clerk: person(6, everything),
  reader: person(2, new Map([[page, new Map([['Retrieve', all]])]])),
  plain: person(3),
  fresh: { ...person(4), mustChangePassword: true },
};

export type Probe = Awaited<ReturnType<typeof openProbe>>;

/** A small module with calls of every kind on a database of its own, with people who hold all, some and none of its grants. */
export async function openProbe(pool: { size?: number; patience?: number } = {}) {
  const database = await cloneTemplate();
  const remembered: AuditEntry[] = [];
  const opened: Readable[] = [];
  const logged: string[] = [];
  const databases = openDatabases({ url: database.url, onError: () => undefined, ...pool });
  const bus = await openBus(database.url, () => undefined);
  const attempts = createAttempts(databases.pool);
  await databases.pool.query(
    'create table probe (id int generated always as identity primary key, word text not null unique)',
  );
  const module = implement('probe', probes, {
    list: async ({ query }, { tx }) => {
      const select = tx.select({ id: table.id, word: table.word, hidden: sql<string>`'secret'` }).from(table);
      return pageOf(tx, query, select.$dynamic(), { by: { id: table.id }, first: 'id', tie: table.id });
    },
    add: async ({ body }, { tx, audit }) => {
      const { rows } = await tx.execute<{ id: number }>(
        sql`insert into probe (word) values (${body.word}) returning id`,
      );
      await attempts.hit({ kind: 'probe', limit: 99, seconds: 60 }, body.word);
      if (body.mode === 'refuse') throw full(body.word);
      if (body.mode === 'break') throw new Error('internal detail');
      audit({ type: '样例', id: rows[0]!.id, title: body.word, after: { word: body.word } });
      return { id: rows[0]!.id, word: body.word };
    },
    sneak: async (_input, { tx }) => {
      await tx.execute(sql`insert into probe (word) values ('sneaked')`);
      return null;
    },
    mark: async ({ params }) => params,
    slow: staged(probes.slow, {
      before: async () => {
        const { rows } = await databases.pool.query(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
        );
        return Number(rows[0].n);
      },
      run: async ({ prepared }) => ({ held: prepared }),
    }),
    file: async () => {
      const bytes = new Readable({ read: () => undefined });
      opened.push(bytes);
      return { type: 'application/zip', bytes };
    },
    open: async (_input, { user }) => ({ who: user?.username ?? 'nobody' }),
  });
  const acknowledged = createAcknowledgedWrites();
  const app: App = createApp({
    databases,
    services: {} as Services,
    bus,
    log: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
    acknowledged,
    replica: false,
    keyedHash: createSecretBox(probeSecret).keyedHash,
    now: () => new Date(),
    exportPatience: 300,
    ports: {
      identify: async (token) => people[token] ?? null,
      identifyByToken: async () => null,
      identifySigned: async () => null,
      remember: async (_tx, entry) => void remembered.push(entry),
      rememberRefusal: async (_tx, entry) => void remembered.push(entry),
    },
    modules: [module],
    trustedProxies: [],
    https: false,
  });
  await app.server.ready();
  async function ask(
    who: string | null,
    method: 'GET' | 'POST',
    url: string,
    body?: object,
    headers: Record<string, string> = {},
  ) {
    const response = await app.server.inject({
      method,
      url,
      ...(body ? { payload: body } : {}),
      headers: { ...(who ? { authorization: `JWT ${who}` } : {}), ...headers },
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      raw: response.rawPayload,
      ...safeJson(response.body),
    };
  }
  const count = async (word: string) =>
    Number((await databases.pool.query('select count(*) as n from probe where word = $1', [word])).rows[0].n);
  return {
    app,
    databases,
    attempts,
    remembered,
    /** The streams of the files that were asked for. */
    opened,
    /** Errors that the server wrote into its log. */
    logged,
    acknowledged,
    ask,
    count,
    async close() {
      await app.server.close();
      await bus.close();
      await databases.close();
      await database.drop();
    },
  };
}

/** An answer that is no envelope is returned as text. */
export function safeJson(text: string): { code: number; msg: string; data: Record<string, never> } {
  try {
    return JSON.parse(text);
  } catch {
    return { code: NaN, msg: text, data: {} };
  }
}
