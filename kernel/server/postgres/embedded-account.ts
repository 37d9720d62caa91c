import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { userInfo } from 'node:os';

/** The system account the database runs as; absent if it is our own. PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account for a cluster kept in `home`: ours, unless we are root; then the present owner of `home`, else `postgres`, else `nobody`. */
export function accountFor(home: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(home)) {
    const { uid, gid } = statSync(home);
    if (uid !== 0) return { uid, gid };
  }
  const accounts = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  return accounts.get('postgres') ?? accounts.get('nobody') ?? { uid: 65534, gid: 65534 };
}

/** True if `account` may enter `path` and every directory above it (by mode bits). */
export function mayEnter(path: string, account: Account): boolean {
  const { uid, gid, mode } = statSync(path);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  const parent = dirname(path);
  return (mode & bit) !== 0 && (parent === path || mayEnter(parent, account));
}

const hasSetpriv = () => process.platform === 'linux' && spawnSync('setpriv', ['--version']).status === 0;
const hasPasswdEntry = () => {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
};

/**
 * The command line that runs `command` as `account`. With setpriv the process asks the kernel for SIGINT when we die, so that even a killed server
 * leaves no orphan; setpriv replaces itself, so the child's pid is the command's own. `named` means that the command requires a name for its user id,
 * which a container's bare id lacks.
 */
export function commandAs(account: Account | undefined, command: string, args: readonly string[], named = false) {
  if (hasSetpriv()) {
    const drop = account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : [];
    const alias = named && !account && !hasPasswdEntry() ? ['unshare', '--user', '--map-user=65534'] : [];
    return { file: 'setpriv', args: [...drop, '--pdeathsig', 'INT', ...alias, command, ...args], options: {} };
  }
  return { file: command, args: [...args], options: account ?? {} };
}
