import { randomInt } from 'node:crypto';
import { houseZone } from '#kernel/contract/moment.ts';
import { StartupError } from '../../process/config.ts';
import { HostClient, hostsOf } from './hosts.ts';

const patienceMs = 10_000;
const rounds = 4;

/**
 * Throws `StartupError` if a pooler between us and the server hands out sessions by transaction, or drops the settings of a session. In the first
 * case messages between nodes would be lost, and locks would be held by nobody or for ever; in the second, times would be read in another zone,
 * limits would not apply and reading connections could write. None of this would be noticed.
 */
export async function refusePooled(url: string): Promise<void> {
  const clients = [0, 1].map(() => {
    const client = new HostClient({
      hosts: hostsOf(url),
      application_name: 'gongdan-start',
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      statement_timeout: patienceMs,
      options: `-c timezone=${houseZone}`,
    });
    return client;
  });
  const [first, second] = clients as [HostClient, HostClient];
  try {
    await first.connect();
    await second.connect();
    if (!(await keptApart(first, second)) || !(await keptWhole(first, second))) throw pooled();
    if (!(await hasSettings(first))) throw deaf();
  } catch (error) {
    throw /unsupported startup parameter/.test((error as Error).message) ? deaf() : error;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

const pooled = () =>
  new StartupError(
    '数据库地址（DATABASE_URL）经过了按事务分配连接的连接池（如 PgBouncer 的 transaction 模式），节点之间的通知与锁在那里会丢失，没有启动：请改为直连数据库，几台主机可以写在一个地址里。',
  );

const deaf = () =>
  new StartupError(
    '数据库地址（DATABASE_URL）经过的连接池（如 PgBouncer）不转交会话的设置（时区、时限、只读），没有启动：请改为直连数据库，几台主机可以写在一个地址里。',
  );

/** True if each connection has its own session and keeps it while the other one is busy. */
async function keptApart(first: HostClient, second: HostClient): Promise<boolean> {
  const pidOf = async (client: HostClient) =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
  const mine = await pidOf(first);
  for (let round = 0; round < rounds; round++) {
    await second.query('begin');
    const its = await pidOf(second);
    // Asked before the first: if both shared one session, the query would wait for ever.
    if (its === mine || (await pidOf(first)) !== mine) return false;
    await second.query('rollback');
  }
  return true;
}

/** True if the settings that a connection asks for at its start are in force. */
async function hasSettings(client: HostClient): Promise<boolean> {
  const { rows } = await client.query<{ so: boolean }>(
    `select current_setting('TimeZone') = '${houseZone}'
      and (select setting::int = $1 from pg_settings where name = 'statement_timeout') as so`,
    [patienceMs],
  );
  return rows[0]!.so;
}

/** True if a connection receives its own notifications and holds a lock that it took. */
async function keptWhole(first: HostClient, second: HostClient): Promise<boolean> {
  let heard = false;
  first.on('notification', () => void (heard = true));
  await first.query('listen gongdan_start');
  await second.query('notify gongdan_start');
  const lock = randomInt(2 ** 47);
  await first.query('select pg_advisory_lock($1)', [lock]);
  const { rows } = await second.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [lock]);
  return heard && !rows[0]!.free;
}
