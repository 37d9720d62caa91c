import type pg from 'pg';
import { fail, ok, warn, type Finding } from './finding.ts';

/** Seconds between the clocks of this machine and the database: a warning from the first, no start from the second. */
const [clockTold, clockRefused] = [2, 30];
const lagTold = 30;

interface Cluster {
  follows: boolean;
  standbys: number;
  synchronous: boolean;
  archive: string;
  archive_failed: boolean;
  most: number;
  used: number;
  ours: number;
  lag: number | null;
  now: number;
}

const question = `select pg_is_in_recovery() as follows,
  (select count(*)::int from pg_stat_replication) as standbys,
  current_setting('synchronous_standby_names') <> '' as synchronous,
  current_setting('archive_mode') as archive,
  (select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) from pg_stat_archiver) as archive_failed,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
  (select sum(numbackends)::int from pg_stat_database) as used,
  (select count(*)::int from pg_stat_activity where application_name like 'gongdan%') as ours,
  case when pg_is_in_recovery() and pg_last_wal_receive_lsn() is distinct from pg_last_wal_replay_lsn()
    then extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 end as lag,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;

/** Checks a server that has others beside it: its followers are synchronous and not too far behind, connections are left, and its clock is right. */
export async function checkCluster(client: pg.Client): Promise<Finding[]> {
  const sent = Date.now();
  const { rows } = await client.query<Cluster>(question);
  const found = rows[0]!;
  return [...standbysOf(found), ...connectionsOf(found), ...clockOf((sent + Date.now()) / 2 - found.now)];
}

export function standbysOf(
  found: Pick<Cluster, 'follows' | 'standbys' | 'synchronous' | 'archive' | 'archive_failed' | 'lag'>,
): Finding[] {
  if (found.follows) {
    const lag = Math.round(found.lag ?? 0);
    return [
      lag < lagTold ? ok(`副本落后主库 ${lag} 秒`) : warn(`副本落后主库 ${lag} 秒，超过 ${lagTold} 秒时不从它读`),
    ];
  }
  const archiving =
    found.archive === 'off'
      ? []
      : [found.archive_failed ? fail('归档最近一次失败：恢复到某一时刻将缺少这之后的数据') : ok('归档正常')];
  if (found.standbys === 0) return archiving;
  return [
    found.synchronous
      ? ok(`${found.standbys} 个备库，提交等待同步的备库确认`)
      : warn(
          `${found.standbys} 个备库都不是同步的：主库毁坏时，最后确认的内容可能丢失，可设置 synchronous_standby_names`,
        ),
    ...(found.archive === 'off'
      ? [warn('有备库而没有归档（archive_mode = off）：误删之后不能恢复到之前的某一时刻')]
      : archiving),
  ];
}

/** The number of connections that one node opens: two pools of ten, and the others. */
const perNode = 32;
export function connectionsOf({ most, used, ours }: Pick<Cluster, 'most' | 'used' | 'ours'>): Finding[] {
  const said = `数据库连接 ${used}/${most}（其中本系统 ${ours}，每个节点最多 ${perNode}）`;
  return [most - used < perNode ? warn(`${said}：不够再启动一个节点，请加大 max_connections`) : ok(said)];
}

export function clockOf(aheadMs: number): Finding[] {
  const seconds = Math.abs(aheadMs) / 1000;
  const said = `本机时钟比数据库${aheadMs > 0 ? '快' : '慢'} ${seconds.toFixed(1)} 秒`;
  if (seconds >= clockRefused) return [fail(`${said}，节点不会启动：请对时`)];
  return [seconds >= clockTold ? warn(`${said}，请对时`) : ok('本机与数据库的时钟一致')];
}
