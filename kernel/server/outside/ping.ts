import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Unresolved } from './names.ts';
import { NotAllowed } from './outgoing.ts';
import type { Probed } from './probe-look.ts';

/** Path of the program that pings many hosts at once without being root; null if the machine has none. */
export async function findFping(path = process.env['PATH'] ?? ''): Promise<string | null> {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, 'fping');
    const found =
      folder &&
      (await access(file, constants.X_OK).then(
        () => true,
        () => false,
      ));
    if (found) return file;
  }
  return null;
}

const atOnce = 100;
const bare = { http_code: null, network: false, steps: {}, certificate: null };
const failed = (outcome: Probed['outcome'], msg: string, more: Partial<Probed> = {}): Probed => ({
  ...bare,
  outcome,
  msg,
  ms: 0,
  ...more,
});

/** Pings hosts, a hundred in each process; the process only receives addresses that were checked. */
export async function pingAll(
  hosts: readonly string[],
  seconds: number,
  program: string | null,
  reach: (host: string) => Promise<string>,
): Promise<Probed[]> {
  if (!program) return hosts.map(() => failed('unsure', '本节点没有 fping 程序，不能检测 Ping，请改用 TCP 端口'));
  const found = await Promise.all(
    hosts.map((host) =>
      reach(host).catch((error: Error) =>
        error instanceof NotAllowed
          ? failed('refused', error.message)
          : failed(error instanceof Unresolved ? 'unsure' : 'fail', error.message, {
              network: error instanceof Unresolved,
            }),
      ),
    ),
  );
  const addresses = [...new Set(found.filter((one) => typeof one === 'string'))];
  const times = new Map<string, number | null>();
  for (let from = 0; from < addresses.length; from += atOnce)
    for (const [address, ms] of await run(program, addresses.slice(from, from + atOnce), seconds))
      times.set(address, ms);
  return found.map((one) => {
    if (typeof one !== 'string') return one;
    const ms = times.get(one);
    if (ms === undefined) return failed('unsure', 'fping 没有给出结果');
    return ms === null
      ? failed('fail', `${seconds} 秒内没有回应`, { network: true })
      : { ...bare, outcome: 'ok', msg: '', ms: Math.round(ms) };
  });
}

/** `-C1 -q` prints a line for each: its address, and milliseconds or a dash. */
function run(program: string, addresses: readonly string[], seconds: number): Promise<Map<string, number | null>> {
  return new Promise((resolve) => {
    const child = spawn(program, ['-C1', '-q', '-r0', `-t${seconds * 1000}`, ...addresses], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {},
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), (seconds + 5) * 1000);
    let said = '';
    child.stderr.on('data', (part: Buffer) => {
      if (said.length < 100_000) said += part.toString();
    });
    const end = () => {
      clearTimeout(timer);
      resolve(
        new Map(
          [...said.matchAll(/^(\S+)\s+:\s+([\d.]+|-)\s*$/gm)].map(([, address, ms]) => [
            address!,
            ms === '-' ? null : Number(ms),
          ]),
        ),
      );
    };
    child.on('close', end);
    child.on('error', end);
  });
}
