import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Simulated machines with their own names, addresses, files and processes on one network, as far as this kernel can isolate them. */
export interface Machines {
  /** Runs a script there as root; throws with its output if it fails. */
  on(name: string, script: string, seconds?: number): Promise<string>;
  /** Starts a script that runs until it is stopped; its last output is the result. */
  begin(name: string, script: string): Promise<{ end(): Promise<string> }>;
  write(name: string, path: string, text: string): Promise<void>;
  /** Pulls the machine's cable; `mend` plugs it in again. */
  cut(name: string): Promise<void>;
  mend(name: string): Promise<void>;
  /** Drops everything sent from one to the other without even refusing it; both keep running. */
  part(from: string, to: string): Promise<void>;
  join(from: string, to: string): Promise<void>;
  /** Stops or kills all processes of the machine at once. */
  signal(name: string, signal: 'STOP' | 'KILL'): Promise<void>;
  close(): Promise<void>;
}

const checkout = join(import.meta.dirname, '..', '..', '..');
const program = '/opt/gongdan';
const apart = ['etc', 'var', 'root', 'home', 'opt', 'usr/local'];

interface Ended {
  code: number | null;
  said: string;
}
function run(file: string, args: readonly string[], seconds: number): Promise<Ended> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const late = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
  // Processes that it left running may hold its output open.
  return new Promise((resolve) =>
    child.on('exit', (code) => {
      clearTimeout(late);
      setTimeout(() => resolve({ code, said }), 100);
    }),
  );
}
async function must(file: string, args: readonly string[], seconds = 60): Promise<string> {
  const { code, said } = await run(file, args, seconds);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}\n${code === null ? `超过 ${seconds} 秒\n` : ''}${said}`);
  return said;
}
const environment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
  TZ: 'Asia/Shanghai',
};

/** The first process of a machine, which has started once it exists. */
async function childOf(parent: ChildProcess): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const [first] = readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8').trim().split(' ');
    if (first) return Number(first);
    await pause(20);
  }
  throw new Error('no machine came up');
}

/** Creates the machines, with the product's checkout in its place; `addresses` by name, all in one /24. */
export async function openMachines(addresses: Readonly<Record<string, string>>): Promise<Machines> {
  const folder = mkdtempSync(join(tmpdir(), 'gongdan-machines-'));
  const begun: ChildProcess[] = [];
  const pids = new Map<string, number>();
  const start = (args: readonly string[]) => {
    const child = spawn('unshare', args, { stdio: 'ignore', env: environment });
    begun.push(child);
    return child;
  };
  const inside = (name: string) => ['-t', String(pids.get(name)), '-m', '-u', '-n', '-p', '--'];
  const shell = (name: string, script: string) => [
    ...inside(name),
    'bash',
    '--norc',
    '-euc',
    `cd ${program}\n${script}`,
  ];
  const machines: Machines = {
    on: (name, script, seconds = 120) => must('nsenter', shell(name, script), seconds),
    async begin(name, script) {
      const child = spawn('nsenter', shell(name, script), { stdio: ['pipe', 'pipe', 'inherit'], env: environment });
      let said = '';
      child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
      // It reports its start, or ends.
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
      if (child.exitCode !== null) throw new Error(`${name}：${script}`);
      return {
        async end() {
          child.stdin.end();
          if (child.exitCode === null) await once(child, 'exit');
          return said.trim().split('\n').at(-1) ?? '';
        },
      };
    },
    async write(name, path, text) {
      const file = join(folder, 'handed');
      writeFileSync(file, text);
      await must('bash', ['-c', `nsenter ${inside(name).join(' ')} install -D -m 0600 /dev/stdin ${path} < ${file}`]);
    },
    cut: async (name) => void (await must('nsenter', [...inside(name), 'ip', 'link', 'set', 'eth0', 'down'])),
    mend: async (name) => void (await must('nsenter', [...inside(name), 'ip', 'link', 'set', 'eth0', 'up'])),
    part: async (from, to) =>
      void (await must('nsenter', [...inside(from), 'ip', 'route', 'add', 'blackhole', `${addresses[to]!}/32`])),
    join: async (from, to) =>
      void (await must('nsenter', [...inside(from), 'ip', 'route', 'del', 'blackhole', `${addresses[to]!}/32`])),
    signal: async (name, signal) => void (await must('nsenter', [...inside(name), 'bash', '-c', `kill -${signal} -1`])),
    async close() {
      for (const child of begun.toReversed()) {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
      // Mounts are released once the last of its processes has ended.
      await pause(500);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    const network = start(['--mount', '--net', 'sleep', 'infinity']);
    await pause(300);
    const there = (...args: string[]) => must('nsenter', ['-t', String(network.pid), '-n', '--', 'ip', ...args]);
    await there('link', 'add', 'br0', 'type', 'bridge');
    await there('link', 'set', 'br0', 'up');
    for (const [index, [name, address]] of Object.entries(addresses).entries()) {
      const first = start([
        '--mount',
        '--net',
        '--uts',
        '--pid',
        '--fork',
        '--kill-child',
        '--mount-proc',
        'bash',
        '-c',
        idle,
      ]);
      const pid = await childOf(first);
      pids.set(name, pid);
      await there('link', 'add', `v${index}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid));
      await there('link', 'set', `v${index}`, 'master', 'br0', 'up');
      const own = join(folder, name);
      for (const path of [...apart, 'program'])
        for (const part of ['upper', 'work']) mkdirSync(join(own, path, part), { recursive: true });
      await must('nsenter', [...inside(name), 'bash', '-euc', furnished(name, address, own)]);
    }
    return machines;
  } catch (error) {
    await machines.close();
    throw error;
  }
}

/** The first process of a machine only collects child processes. */
const idle = 'while :; do sleep 1000 & wait $!; done';

const overlaid = (lower: string, own: string, target = lower) =>
  `mount -t overlay overlay -o lowerdir=${lower},upperdir=${own}/upper,workdir=${own}/work ${target}`;

/** Without access to the internet: packages must be installed already, `services.ts` replaces systemd, and there are no kernel modules. */
const furnished = (name: string, address: string, own: string) => `
mount --make-rprivate /
hostname ${name}
${apart.map((path) => overlaid(`/${path}`, join(own, path))).join('\n')}
mkdir -p ${program}
${overlaid(checkout, join(own, 'program'), program)}
ip link set lo up
ip addr add ${address}/24 dev eth0
ip link set eth0 up
echo '127.0.0.1 localhost' > /etc/hosts
printf '#!/bin/sh\\nexec ${process.execPath} ${join(import.meta.dirname, 'services.ts')} "$0" "$@"\\n' > /usr/local/bin/systemctl
chmod 755 /usr/local/bin/systemctl
cp /usr/local/bin/systemctl /usr/local/bin/systemd-run
mkdir -p /etc/udev/rules.d /etc/modules-load.d
printf '#!/bin/sh\\n' > /usr/local/bin/modprobe
chmod 755 /usr/local/bin/modprobe
cp /usr/local/bin/modprobe /usr/local/bin/udevadm
printf '#!/bin/sh\\nshift 2\\nexec dpkg-query -W "$@"\\n' > /usr/local/bin/apt-get
chmod 755 /usr/local/bin/apt-get
mount -t tmpfs tmpfs /run
mkdir -p /run/postgresql /run/lock
chown postgres:postgres /run/postgresql
mount -t tmpfs tmpfs /tmp
chmod 1777 /tmp`;
