import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { pathOf, type Asked, type Call, type PermissionCode, type ReplyOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { sessionTable } from '#modules/platform/accounts/tables.ts';
import { grantPage } from '#modules/platform/access/service.ts';
import { roleTable } from '#modules/platform/access/tables.ts';
import { personWords } from '#modules/platform/people/service/words.ts';
import { deptTable, userRoleTable, userTable } from '#modules/platform/people/tables.ts';
import { openNodes } from './testing/open.ts';
import { send, untilTaken, type Sending, type Sent } from './testing/send.ts';
import { cloneTemplate, passwordHash, testSecret, type Clone } from './testing/template.ts';
import type { FilesPlace, AppOptions } from './office.ts';
import type { Services } from '#kernel/server/services.ts';

export { cloneTemplate, testPassword, testSecret } from './testing/template.ts';

export interface Answer<C> {
  status: number;
  code: number;
  msg: string;
  data: ReplyOf<C>;
}

/** Sends calls over HTTP as one person (or nobody). */
export interface Client {
  token: string | null;
  userId: number;
  username: string;
  /** Returns the whole envelope. */
  ask<C extends Call>(call: C, asked?: Partial<Asked<C>>, headers?: Record<string, string>): Promise<Answer<C>>;
  /** Returns the data of an answer that must be a success; otherwise throws the server's sentence. */
  get<C extends Call>(call: C, asked?: Partial<Asked<C>>): Promise<ReplyOf<C>>;
  /** Sends a plain request and returns the answer as bytes, which is quick. */
  send(path: string, sending?: Sending): Promise<Sent>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The same person at another address, e.g. of another node. */
  at(address: string): Client;
}

export interface PersonWanted {
  username?: string;
  alias?: string;
  dept?: number;
  /** Codes of existing roles; `reception` is always added. */
  roles?: string[];
  phone?: string;
  active?: boolean;
}

export interface TestOffice {
  url: string;
  /** The addresses of the nodes themselves: one, equal to `url`, or two behind the proxy at `url`. */
  nodes: readonly string[];
  databaseUrl: string;
  /** The folder of this machine's files. */
  folder: string;
  services: Services;
  db: Db;
  stranger: Client;
  admin: Client;
  dept(name?: string, parent?: number): Promise<number>;
  person(wanted?: PersonWanted): Promise<{ id: number; username: string; alias: string }>;
  /** Creates a role with exactly these grants, e.g. `{ 'system/user': ['Retrieve'] }`; returns its code. */
  role(grants: Record<string, PermissionCode[]>, dataScope?: number): Promise<string>;
  /** Creates and signs in a person of a new role with exactly these grants. */
  clerk(grants: Record<string, PermissionCode[]>, wanted?: PersonWanted & { dataScope?: number }): Promise<Client>;
  signIn(user: number | { id: number } | string): Promise<Client>;
  /** Opens another node on the same database, its files in the same folder or `elsewhere`; close it before this one. */
  secondNode(elsewhere?: boolean): Promise<TestOffice>;
  close(): Promise<void>;
}

type TestPorts = Partial<Pick<AppOptions, 'sendCode' | 'readDatabaseUrl' | 'outgoingAllow' | 'log' | 'modules'>> & {
  files?: Omit<FilesPlace, 'folder'>;
};

/** The whole product on a database of its own, cloned from a migrated template, listening on a free port. */
export async function openTestApp({
  replicaOf,
  database: given,
  demonstration = false,
  ...ports
}: TestPorts & {
  /** The school of the demonstration is in it. */
  demonstration?: boolean;
  /** Used instead of a new database. */
  database?: Clone;
  /** Returns the address of a replica of the app's database as soon as it is available. */
  replicaOf?: (url: string) => Promise<string>;
} = {}): Promise<TestOffice> {
  const database = given ?? (await cloneTemplate({ demonstration }));
  const readDatabaseUrl = await replicaOf?.(database.url);
  return openOn(database, { ...(readDatabaseUrl !== undefined && { readDatabaseUrl }), ...ports });
}

/** `shared` is the folder of another node, which must be closed after this one. */
async function openOn(database: Clone, ports: TestPorts, shared?: string): Promise<TestOffice> {
  const folder = shared ?? (await mkdtemp(join(tmpdir(), 'gongdan-files-')));
  if (database.files && !shared) await cp(database.files, folder, { recursive: true });
  const app = await openNodes({
    databaseUrl: database.url,
    secret: testSecret,
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    https: false,
    ...ports,
    files: { folder, ...ports.files },
  });
  const { url } = app;
  const { databases, identity } = app.services;
  let serial = 0;
  const { write } = databases;

  const client = (token: string | null, userId: number, username: string, address = url): Client => {
    const own: Record<string, string> = token ? { authorization: `JWT ${token}` } : {};
    const request = (path: string, init: RequestInit = {}) =>
      fetch(address + path, { ...init, headers: { ...own, ...init.headers } });
    const quick: Client['send'] = (path, sending = {}) =>
      send(address + path, { ...sending, headers: { ...own, ...sending.headers } });
    const ask: Client['ask'] = async (call, asked, headers) => {
      const { params, query, body } = (asked ?? {}) as { params?: object; query?: object; body?: unknown };
      const path = pathOf(call, { ...params });
      const search = new URLSearchParams(
        Object.entries(query ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
      ).toString();
      const { status, bytes } = await untilTaken(() =>
        quick(search ? `${path}?${search}` : path, {
          method: call.method,
          headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
      return { status, ...(JSON.parse(bytes.toString('utf8')) as { code: number; msg: string; data: never }) };
    };
    return {
      token,
      userId,
      username,
      ask,
      send: quick,
      fetch: request,
      at: (elsewhere) => client(token, userId, username, elsewhere),
      async get(call, asked) {
        const answer = await ask(call, asked);
        if (answer.code !== 0) throw new Error(`${call.summary}：${answer.code} ${answer.msg}`);
        return answer.data;
      },
    };
  };

  const signIn: TestOffice['signIn'] = async (user) => {
    const where =
      typeof user === 'string'
        ? eq(userTable.username, user)
        : eq(userTable.id, typeof user === 'number' ? user : user.id);
    const [row] = await databases.fresh.select().from(userTable).where(where);
    if (!row) throw new Error(`no such user: ${JSON.stringify(user)}`);
    const [session] = await write((tx) =>
      tx
        .insert(sessionTable)
        .values({
          user_id: row.id,
          session_version: row.session_version,
          ip: '127.0.0.1',
          ua: 'test',
          expires_at: sql`now() + interval '1 hour'`,
        })
        .returning({ id: sessionTable.id }),
    );
    return client(identity.sign(row.id, session!.id), row.id, row.username);
  };

  const person: TestOffice['person'] = async (wanted = {}) => {
    const username = wanted.username ?? `user${++serial}`;
    const alias = wanted.alias ?? `职员${serial}`;
    return write(async (tx) => {
      const [row] = await tx
        .insert(userTable)
        .values({
          username,
          alias,
          dept_id: wanted.dept ?? null,
          phone: wanted.phone ?? null,
          is_active: wanted.active ?? true,
          password: await passwordHash,
          ...personWords({ alias, username, phone: wanted.phone ?? null }),
        })
        .returning({ id: userTable.id });
      for (const code of wanted.roles ?? []) {
        const [role] = await tx.select().from(roleTable).where(eq(roleTable.code, code));
        if (!role) throw new Error(`no such role: ${code}`);
        await tx.insert(userRoleTable).values({ user_id: row!.id, role_id: role.id });
      }
      return { id: row!.id, username, alias };
    });
  };

  const role: TestOffice['role'] = (grants, dataScope = 1) =>
    write(async (tx) => {
      const code = `role${++serial}`;
      await tx.insert(roleTable).values({
        code,
        name: `角色${serial}`,
        data_scope: dataScope,
        search: searchVector({ texts: [`角色${serial}`] }),
      });
      for (const [page, codes] of Object.entries(grants)) await grantPage(tx, code, page, codes);
      return code;
    });

  return {
    url,
    nodes: app.nodes,
    databaseUrl: database.url,
    folder,
    services: app.services,
    db: databases.fresh,
    stranger: client(null, 0, ''),
    admin: await signIn('admin'),
    person,
    role,
    signIn,
    secondNode: (elsewhere = false) =>
      openOn({ url: database.url, drop: async () => undefined }, ports, elsewhere ? undefined : folder),
    async clerk(grants, wanted = {}) {
      const code = await role(grants, wanted.dataScope);
      return signIn(await person({ ...wanted, roles: [...(wanted.roles ?? []), code] }));
    },
    dept: (name = `部门${++serial}`, parent) =>
      write(async (tx) => {
        const values = { name, parent_id: parent ?? null, search: searchVector({ texts: [], names: [name] }) };
        const [row] = await tx.insert(deptTable).values(values).returning({ id: deptTable.id });
        return row!.id;
      }),
    async close() {
      await app.close();
      await database.drop();
      if (!shared) await rm(folder, { recursive: true, force: true });
    },
  };
}
