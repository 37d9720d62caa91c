import { HostClient, type Hosts } from './hosts.ts';
import { holdsMark } from './history.ts';
import type { Primary } from './watch.ts';
import { isCrowded, isLost } from '../lost.ts';
import { reaches } from './position.ts';

/** Watches whether the replica can be read. */
export interface Replica {
  up(): boolean;
  /**
   * Receives a failed read; true if the replica and not the query was to blame, so that the primary may be asked instead. A replica that cannot be
   * reached is not asked again until it answers the next check.
   */
  failed(error: unknown): boolean;
  /** True if the replica is there and has everything that the primary was last seen to have written, so that it may replace it. */
  isWhole(): Promise<boolean>;
  close(): Promise<void>;
}

const everyMillis = 1000;
const patienceMillis = 2000;
/** A replica that lags further behind is not read until it has caught up. */
const longestLagMillis = 30_000;
/** The replica cancelled a query in order to continue; only that query has to be repeated. */
const conflict = '40001';

const isConflict = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: unknown }).code === conflict || isConflict(error.cause));

const question = `select (select system_identifier::text from pg_control_system()) as system,
  case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
  else pg_current_wal_insert_lsn() end::text as replayed`;

/** Checks each second whether the replica is there; `tell` receives each change. At first it is assumed to be there. */
export function watchReplica(hosts: Hosts, primary: Primary, tell: (up: boolean, error?: Error) => void): Replica {
  let up = true;
  let closed = false;
  let failures = 0;
  let replayed: string | null = null;
  const turn = (now: boolean, error?: Error) => {
    if (closed || up === now) return;
    up = now;
    tell(up, error);
  };
  const lookOnce = async () => {
    const before = failures;
    const client = new HostClient({
      hosts,
      application_name: 'gongdan-replica',
      connectionTimeoutMillis: patienceMillis,
      query_timeout: patienceMillis,
    });
    try {
      await client.connect();
      const { rows } = await client.query<{ replayed: string | null; system: string }>(question);
      replayed = rows[0]!.replayed;
      await refuseOlder(client, rows[0]!.system);
      const late = primary.position(longestLagMillis);
      if (primary.up() && late !== null && !reaches(replayed, late))
        turn(false, new Error(`more than ${longestLagMillis / 1000} seconds behind the primary`));
      // A check that began before a read failed says nothing about the time since.
      else if (before === failures) turn(true);
    } catch (error) {
      hosts.forget();
      turn(false, error as Error);
      // Nobody keeps waiting for a server that hangs.
      hosts.cut();
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  /** A server that is past the newest mark and lacks it has followed another primary. */
  async function refuseOlder(client: HostClient, system: string): Promise<void> {
    const known = primary.history.known();
    if (!known?.mark) return;
    const isOther =
      system !== known.system || (reaches(replayed, known.mark.position) && !(await holdsMark(client, known.mark)));
    if (isOther) throw new Error('the replica is of an older history than the primary');
  }
  let looking: Promise<void> | null = null;
  const look = () => (looking ??= lookOnce().finally(() => (looking = null)));
  /** After a read failed, waits until another of the servers is found. */
  let another: Promise<void> | null = null;
  const lookForAnother = () => (another ??= anotherFound().finally(() => (another = null)));
  /** All connections to a lost server fail one after the other, so a check in between proves nothing. */
  async function anotherFound(): Promise<void> {
    await looking;
    for (let before = -1, looks = 0; before !== failures && looks < 3; looks++) {
      before = failures;
      await look();
    }
  }
  let timer: NodeJS.Timeout;
  const plan = () => {
    timer = setTimeout(() => void look().then(() => void (closed || plan())), everyMillis);
    timer.unref();
  };
  plan();
  return {
    up: () => up,
    failed(error) {
      // A server without free connections is still there.
      if (isCrowded(error)) return true;
      if (!isLost(error)) return isConflict(error);
      failures += 1;
      hosts.forget();
      turn(false, error as Error);
      void lookForAnother();
      return true;
    },
    async isWhole() {
      await another;
      if (!up) return false;
      if (!reaches(replayed, primary.position())) await look();
      return up && reaches(replayed, primary.position());
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await another;
      await looking;
    },
  };
}
