import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { OlderHistory, olderSaid } from './primary/history.ts';
import { HostClient, hostsOf } from './primary/hosts.ts';
import { refusePooled } from './primary/sessions.ts';
import { StartupError } from '../process/config.ts';
import { migrateJobs } from '../jobs/jobs.ts';
import { refuseOldPostgres } from '../postgres/postgres-release.ts';

const folder = new URL('../../../migrations/', import.meta.url);
/** An arbitrary number, the same on all nodes. */
const lock = 4_020_261_120;

export interface Migrated {
  applied: string[];
}

/** Describes `npm run migrate`; the handbook, the doctor and the start of the product all use it. */
export const migrateDoes = '更新数据库结构后退出；启动时也会自动更新';
/** The result of a migration in words. */
export const migratedSaid = ({ applied }: Migrated): string =>
  applied.length === 0
    ? '数据库结构已是最新'
    : `数据库结构已更新：${applied.length > mostNamed ? `${applied.slice(0, mostNamed).join('、')} 等 ${applied.length} 个文件` : applied.join('、')}`;
const mostNamed = 5;
const changedSaid = (name: string) => `数据库结构文件 ${name} 在执行之后被改动过，请恢复原文件，改动另写一个文件`;

interface SchemaFile {
  name: string;
  text: string;
  sha256: string;
}
async function schemaFiles(): Promise<SchemaFile[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}
/** Digests of the migrations that ran in a database, by name; null if none ever ran. */
async function appliedIn(client: Asked): Promise<Map<string, string> | null> {
  const { rows: there } = await client.query<{ there: boolean }>(
    `select to_regclass('migration') is not null as there`,
  );
  if (!there[0]?.there) return null;
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migration');
  return new Map(rows.map((row) => [row.name, row.sha256]));
}
type Asked = Pick<HostClient, 'query'>;

/** Compares a database with the present schema: migrations that are missing, that changed after they ran, and that a later version ran. */
export interface Standing {
  fresh: boolean;
  missing: string[];
  changed: string[];
  unknown: string[];
}
export async function schemaStanding(client: Asked): Promise<Standing> {
  const files = await schemaFiles();
  const known = await appliedIn(client);
  const names = new Set(files.map(({ name }) => name));
  return {
    fresh: known === null,
    missing: files.flatMap(({ name }) => (known?.has(name) ? [] : [name])),
    changed: files.flatMap(({ name, sha256 }) => (known?.has(name) && known.get(name) !== sha256 ? [name] : [])),
    unknown: [...(known?.keys() ?? [])].filter((name) => !names.has(name)),
  };
}
/** Returns the names of the migrations that ran in the database at an address. */
export async function appliedAt(url: string): Promise<string[]> {
  const client = new HostClient({ hosts: hostsOf(url), application_name: 'gongdan-migrate' });
  await client.connect();
  return appliedIn(client)
    .then((known) => [...(known?.keys() ?? [])])
    .finally(() => client.end());
}
/** Returns the names that this program does not know, because a later version ran them. */
export async function unknownOf(names: readonly string[]): Promise<string[]> {
  const known = new Set((await schemaFiles()).map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}

/** The comparison in sentences, as the administrator who ran `migrate` reads it. */
export function standingSaid({ fresh, missing, changed, unknown }: Standing): { ok: boolean; text: string }[] {
  if (changed[0]) return changed.map((name) => ({ ok: false, text: changedSaid(name) }));
  const does = `npm run migrate：${migrateDoes}`;
  if (fresh) return [{ ok: true, text: `数据库还没有建立结构（${does}）` }];
  if (missing.length > 0)
    return [{ ok: true, text: `数据库结构有 ${missing.length} 个文件没有执行：${missing.join('、')}（${does}）` }];
  if (unknown.length > 0)
    return [
      { ok: true, text: `数据库结构由更新的程序更新过：${unknown.join('、')}；本程序仍能工作，请尽快换成同一版本` },
    ];
  return [{ ok: true, text: migratedSaid({ applied: [] }) }];
}

/** A connection to a database that may be migrated. Throws `StartupError` if it must not be written to. */
async function connectedTo(url: string): Promise<HostClient> {
  try {
    await refusePooled(url);
    const client = new HostClient({ hosts: hostsOf(url), application_name: 'gongdan-migrate' });
    await client.connect();
    return client;
  } catch (error) {
    throw error instanceof OlderHistory ? new StartupError(`${olderSaid(error)}。没有启动。`) : error;
  }
}

/**
 * Brings a database to the present schema: the job queue's own tables, then each file of `migrations/` in order, once, each in its own transaction,
 * on one node at a time. A file that changed after it ran is refused, and so is a server that is too old.
 */
export async function migrate(url: string): Promise<Migrated> {
  const files = await schemaFiles();
  const client = await connectedTo(url);
  try {
    await refuseOldPostgres(client);
    await client.query('select pg_advisory_lock($1)', [lock]);
    await migrateJobs(url);
    await client.query(`create table if not exists migration
      (name text primary key, sha256 char(64) not null, applied_at timestamptz not null default now())`);
    const known = (await appliedIn(client)) ?? new Map<string, string>();
    const applied: string[] = [];
    for (const { name, text, sha256 } of files) {
      const before = known.get(name);
      if (before === sha256) continue;
      if (before) throw new StartupError(changedSaid(name));
      await client.query('begin');
      try {
        await client.query(text);
        await client.query('insert into migration (name, sha256) values ($1, $2)', [name, sha256]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new StartupError(`按 ${name} 更新数据库结构失败：${(error as Error).message}`, { cause: error });
      }
      applied.push(name);
    }
    return { applied };
  } finally {
    await client.end();
  }
}
