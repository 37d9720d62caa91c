import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { copyFile } from '../files/copy-file.ts';

/** Files that the server creates again at its start, or that only describe itself. The folders themselves must exist. */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const left = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label.*|tablespace_map.*)$/;

export interface ClusterCopy {
  /** Folders that must exist, even if empty. */
  folders: string[];
  /** The time when the copy was complete: it contains everything committed before. */
  until: Date;
}

const gone = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
};

/** Copies a folder as it is; a file that vanishes meanwhile was dropped, and the database's log records that. */
async function copyTree(from: string, to: string, folders: string[], path = ''): Promise<void> {
  await mkdir(join(to, path), { recursive: true, mode: 0o700 });
  folders.push(path);
  const entries = await readdir(join(from, path), { withFileTypes: true }).catch(path === '' ? undefined : gone);
  for (const entry of entries ?? []) {
    const inner = path ? `${path}/${entry.name}` : entry.name;
    if (left.test(entry.name)) continue;
    if (!entry.isDirectory()) await copyFile(join(from, inner), join(to, inner)).catch(gone);
    else if (path === '' && emptied.has(entry.name)) {
      await mkdir(join(to, inner), { recursive: true, mode: 0o700 });
      folders.push(inner);
    } else await copyTree(from, to, folders, inner);
  }
}

/**
 * Copies a running cluster into `target` so that a server started there has everything committed before the copy was complete. Readers and writers
 * continue meanwhile. `adminUrl` belongs to a superuser; `home` is the folder that holds `cluster`.
 */
export async function copyCluster(adminUrl: string, home: string, target: string): Promise<ClusterCopy> {
  const cluster = join(realpathSync(home), 'cluster');
  const folders: string[] = [];
  const session = new pg.Client({ connectionString: adminUrl });
  await session.connect();
  try {
    const one = async <R>(text: string, values: unknown[] = []) => (await session.query(text, values)).rows[0] as R;
    // Keeps the database's log from the first change on, however long the copy takes; the slot ends with the session.
    await one('select pg_create_physical_replication_slot($1, true, true)', [`backup_${process.pid}`]);
    const { first } = await one<{ first: string }>(
      `select pg_walfile_name(pg_backup_start('gongdan', fast => true)) as first`,
    );
    await copyTree(cluster, target, folders);
    const until = new Date();
    const { last, label, spaces } = await one<{ last: string; label: string; spaces: string }>(
      `select pg_walfile_name(lsn) as last, labelfile as label, spcmapfile as spaces
       from pg_backup_stop(wait_for_archive => false)`,
    );
    await writeFile(join(target, 'backup_label'), label, { mode: 0o600 });
    if (spaces) await writeFile(join(target, 'tablespace_map'), spaces, { mode: 0o600 });
    const logs = await readdir(join(cluster, 'pg_wal'));
    const wanted = logs.filter(
      (name) => name.endsWith('.history') || (/^[0-9A-F]{24}$/.test(name) && name >= first && name <= last),
    );
    for (const name of wanted) await copyFile(join(cluster, 'pg_wal', name), join(target, 'pg_wal', name));
    if (!existsSync(join(target, 'pg_wal', last))) throw new Error(`the log ${last} of the backup is missing`);
    return { folders, until };
  } finally {
    await session.end();
  }
}
