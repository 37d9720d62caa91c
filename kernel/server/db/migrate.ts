import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { HostClient, hostsOf } from './primary/hosts.ts';
import { refusePooled } from './primary/sessions.ts';
import { StartupError } from '../process/config.ts';
import { migrateJobs } from '../jobs/jobs.ts';
import { refuseOldPostgres } from '../postgres/postgres-release.ts';

const folder = new URL('../../../migrations/', import.meta.url);
/** Any number, the same on all nodes. */
const lock = 4_020_261_120;

export interface Migrated {
  applied: string[];
}

/**
 * Brings a database to the present schema: the job queue's own, then each file of `migrations/` in order, once, in a transaction of its own, one
 * node at a time. A file that changed after it was applied is refused, and so is a
 * server that is too old.
 */
export async function migrate(url: string): Promise<Migrated> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted();
  await refusePooled(url);
  const client = new HostClient({ hosts: hostsOf(url), application_name: 'gongdan-migrate' });
  await client.connect();
  try {
    await refuseOldPostgres(client);
    await client.query('select pg_advisory_lock($1)', [lock]);
    await migrateJobs(url);
    await client.query(`create table if not exists migration
      (name text primary key, sha256 char(64) not null, applied_at timestamptz not null default now())`);
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migration');
    const known = new Map(rows.map((row) => [row.name, row.sha256]));
    const applied: string[] = [];
    for (const name of files) {
      const text = await readFile(new URL(name, folder), 'utf8');
      const sha256 = createHash('sha256').update(text).digest('hex');
      const before = known.get(name);
      if (before === sha256) continue;
      if (before) throw new StartupError(`数据库迁移 ${name} 在执行之后被改动过，请恢复原文件，改动写成新的迁移`);
      await client.query('begin');
      try {
        await client.query(text);
        await client.query('insert into migration (name, sha256) values ($1, $2)', [name, sha256]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new StartupError(`数据库迁移 ${name} 失败：${(error as Error).message}`, { cause: error });
      }
      applied.push(name);
    }
    return { applied };
  } finally {
    await client.end();
  }
}
