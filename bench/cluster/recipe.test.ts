import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openMachines, type Machines } from './machines/machines.ts';

/**
 * Runs the commands of docs/cluster.md, each on the machines it names: simulated machines with their own network, files and processes on this kernel.
 * Needs root and Debian's packages `patroni python3-etcd etcd-server etcd-client pgbackrest postgresql-15 nginx gettext-base openssl`.
 */
const wanted = process.env['CLUSTER'] === '1';
const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'cluster.md'), 'utf8');
const hosts = readFileSync(join(root, 'deploy', 'cluster', 'hosts'), 'utf8');
const addresses = Object.fromEntries(
  hosts
    .trim()
    .split('\n')
    .map((line) => line.split(' ').toReversed() as [string, string]),
);
const databases = ['db1', 'db2', 'db3'];
const list = 'patronictl -c /etc/patroni/config.yml list';

interface Block {
  on: string[];
  script: string;
}
/** The code blocks of a section of the page, with the machines that their first line names. */
function blocksOf(title: string): Block[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`))!;
  return [...section.matchAll(/^```sh\n# 在 ?(.+?) ?上\n([^]+?)^```/gm)].map(([, on, script]) => ({
    on: on!.split('、'),
    script: script!,
  }));
}

test('every command of the page stands in a block that says on which machines', () => {
  const blocks = [...page.matchAll(/^```sh\n(.*)\n/gm)].map(([, first]) => first!);
  expect(blocks.length).toBeGreaterThan(20);
  for (const first of blocks) {
    const on = /^# 在 ?(.+?) ?上$/.exec(first)?.[1]?.split('、') ?? [];
    expect(
      on.filter((name) => name in addresses || name === '主库' || name === '备库'),
      first,
    ).not.toEqual([]);
  }
});

const place = { timeout: 1_200_000 };
describe.skipIf(!wanted)('on six machines and a bucket, with CLUSTER=1 (skipped without it)', () => {
  let machines: Machines;
  let bucket: { end(): Promise<string> };
  let workflow = '';
  let password = '';
  let beforeDrill = '';
  let first = 0;

  interface Member {
    Member: string;
    Role: string;
    State: string;
  }
  const members = async (from = databases) => {
    for (const name of from) {
      const said = await machines.on(name, `${list} -f json`, 30).catch(() => null);
      if (said) return JSON.parse(said.slice(said.indexOf('['))) as Member[];
    }
    throw new Error('no machine knows the members');
  };
  const leader = async (from = databases) => {
    for (let tries = 0; tries < 60; tries++, await pause(1000)) {
      const found = (await members(from)).find(({ Role, State }) => Role === 'Leader' && State === 'running');
      if (found) return found.Member;
    }
    throw new Error('there is no primary');
  };
  const whole = async () => {
    for (let tries = 0; tries < 120; tries++, await pause(1000)) {
      const all = await members();
      const sound = all.filter(({ State }) => ['running', 'streaming'].includes(State));
      if (sound.length === 3 && all.some(({ Role }) => Role === 'Sync Standby')) return;
    }
    throw new Error(`the cluster is not whole: ${JSON.stringify(await members())}`);
  };
  const named = async (name: string) => {
    if (name === '主库') return leader();
    if (name !== '备库') return name;
    await whole();
    return (await members()).find(({ Role }) => Role === 'Replica')!.Member;
  };
  async function follow(blocks: readonly Block[], instead: (script: string) => string = (script) => script) {
    for (const { on, script } of blocks)
      for (const name of on) {
        const machine = await named(name);
        const started = performance.now();
        await machines.on(machine, instead(script), 300);
        console.log(`${machine} ${Math.round(performance.now() - started)} ms：${script.split('\n')[0]}`);
      }
  }
  const asked = async (sql: string) =>
    (await machines.on(await leader(), `runuser -u postgres -- psql -Atc "${sql}" gongdan`)).trim();
  /** The answer to an upload through one of the nodes. */
  const uploading = async (app: string) => {
    const body = JSON.stringify({ username: 'qin.haoyu', password });
    const said = await machines.on(
      'web',
      `token=$(curl -sS http://${app}:8080/api/accounts/login/ -H 'content-type: application/json' -d '${body}' | sed 's/.*"jwt":"\\([^"]*\\)".*/\\1/')
      curl -sS -m 60 http://${app}:8080/api/file/upload/ -H "authorization: JWT $token" -F module=tickets -F 'file=@docs/cluster.md;filename=a.txt'`,
    );
    return (JSON.parse(said) as { msg: string }).msg;
  };
  /** Lets people work during an operation and checks that nothing was lost, nothing was done twice, and reading continued. */
  async function working(doing: () => Promise<void>, stoodAtMost: number) {
    const people = await machines.begin(
      'bucket',
      `exec ${process.execPath} bench/cluster/machines/people.ts http://web ${password} ${workflow} ${(first += 100)}`,
    );
    await pause(3000);
    await doing();
    await pause(3000);
    const met = JSON.parse(await people.end()) as {
      titles: string[];
      reads: number;
      unread: number;
      strange: string[];
      stood: number;
      slowestRead: number;
    };
    console.log(JSON.stringify({ ...met, titles: met.titles.length }));
    const kept = (await asked(`select title from ticket where title ~ '^w${first}x|^w${first + 1}x'`)).split('\n');
    expect(met.strange).toEqual([]);
    expect(met.titles.filter((title) => !kept.includes(title))).toEqual([]);
    expect(kept.length).toBe(new Set(kept).size);
    expect(met.unread).toBeLessThanOrEqual(met.reads / 100);
    expect(met.stood).toBeLessThan(stoodAtMost);
  }

  beforeAll(async () => {
    machines = await openMachines(addresses);
    await machines.on(
      'bucket',
      `mkdir -p /root/bucket && cd /root
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ca -keyout ca.key -out ca.crt 2>/dev/null
      openssl req -newkey rsa:2048 -nodes -subj /CN=bucket -keyout key -out csr 2>/dev/null
      printf 'subjectAltName=DNS:bucket' > ext
      openssl x509 -req -in csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out cert 2>/dev/null`,
    );
    const authority = await machines.on('bucket', 'cat /root/ca.crt');
    bucket = await machines.begin(
      'bucket',
      `exec ${process.execPath} bench/cluster/machines/bucket.ts /root/bucket /root/key /root/cert`,
    );
    for (const name of Object.keys(addresses))
      await machines.write(name, '/usr/local/share/ca-certificates/ca.crt', authority);
    await machines.on('bucket', 'cat deploy/cluster/hosts >> /etc/hosts');
  }, 120_000);
  afterAll(async () => {
    await bucket?.end();
    await machines?.close();
  }, 60_000);

  test('the page sets it up, and the doctor finds nothing wrong', place, async () => {
    const [secrets, ...others] = blocksOf('安装');
    await follow([secrets!]);
    const env = (await machines.on('db1', 'cat /root/cluster.env'))
      .replace(/^S3_ACCESS_KEY=.*/m, 'S3_ACCESS_KEY=S3RVER')
      .replace(/^S3_SECRET_KEY=.*/m, 'S3_SECRET_KEY=S3RVER')
      .replace(/^WATCHDOG=.*/m, 'WATCHDOG=off');
    password = /^ADMIN_PASSWORD=(.*)$/m.exec(env)![1]!;
    for (const name of Object.keys(addresses)) await machines.write(name, '/root/cluster.env', env);
    const nodes = others.findIndex(({ script }) => script.includes('useradd'));
    await follow(others.slice(0, nodes));
    // The drill's people belong to the demonstration, which is only added to an empty database.
    await machines.on(
      'app1',
      `set -a; . /root/cluster.env; set +a
      export DATABASE_URL="postgres://gongdan:$GONGDAN_PASSWORD@db1,db2,db3/gongdan?target_session_attrs=read-write"
      export S3_BUCKET=gongdan NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
      DEMO=1 HOST=127.0.0.1 PORT=8099 PUBLIC_URL= ${process.execPath} apps/server/main.ts > /tmp/demo.log 2>&1 &
      for try in $(seq 500); do curl -fsS http://127.0.0.1:8099/readyz && break; sleep 1; done || (cat /tmp/demo.log; exit 1)
      kill $!; wait $! || true`,
      600,
    );
    // Their password is public, so the nodes would refuse to start for other machines.
    await asked(`update app_user set password = (select password from app_user where username = 'admin')`);
    await follow(others.slice(nodes));
    workflow = await asked(`select id from workflow where key = 'it_service' and not is_deleted`);
    await whole();
    const doctor = await machines.on('app1', 'gongdan doctor');
    expect(doctor).toMatch(/2 个备库，提交等待同步的备库确认/);
    expect(doctor).toMatch(/归档正常/);
  });

  test(
    'the drill of each quarter: what was acknowledged is there once, reading goes on, writing stands no longer than said',
    place,
    async () => {
      beforeDrill = (await asked('select now()')).trim();
      await pause(1500);
      await working(() => follow(blocksOf('每季度的演练').slice(0, -1)), 23_000);
      await follow(blocksOf('每季度的演练').slice(-1));
    },
  );

  test(
    'the primary’s cable is pulled: another one takes over within the lease, and the old one comes back as a standby',
    place,
    async () => {
      await whole();
      await working(async () => {
        const old = await leader();
        const rest = databases.filter((name) => name !== old);
        await machines.cut(old);
        await eventually(async () => expect(await leader(rest)).not.toBe(old));
        await pause(8000);
        await machines.mend(old);
        await whole();
      }, 26_000);
    },
  );

  // These machines have no watchdog, so the test itself resets a host that hangs longer than the lease.
  test(
    'a primary that hangs is reset by its watchdog: another one takes over, and it comes back as a standby',
    place,
    async () => {
      await whole();
      await working(async () => {
        const old = await leader();
        const rest = databases.filter((name) => name !== old);
        await machines.signal(old, 'STOP');
        await eventually(async () => expect(await leader(rest)).not.toBe(old));
        await machines.signal(old, 'KILL');
        await machines.on(old, 'systemctl start etcd patroni');
        await whole();
        expect(await leader()).not.toBe(old);
      }, 26_000);
    },
  );

  test(
    'nodes cut off from each other, from a standby and from the bucket: one sentence for files, nothing else',
    place,
    async () => {
      await whole();
      await working(async () => {
        await machines.part('app1', 'app2');
        await machines.part('app2', 'app1');
        await pause(5000);
        const standby = (await members()).find(({ Role }) => Role === 'Sync Standby')!.Member;
        await machines.part('app1', standby);
        await machines.part('app2', standby);
        await pause(10_000);
        for (const app of ['app1', 'app2']) {
          await machines.join(app, standby);
          await machines.part(app, 'bucket');
          expect(await uploading(app)).toBe('“a.txt”暂时无法保存，请稍后重试或联系管理员');
          await machines.join(app, 'bucket');
          expect(await uploading(app)).toBe('已上传');
        }
        await machines.join('app1', 'app2');
        await machines.join('app2', 'app1');
      }, 8000);
    },
  );

  test('the page restores it to the moment before the drill', place, async () => {
    const then = Number(await asked(`select count(*) from ticket where gmt_created <= '${beforeDrill}'`));
    expect(Number(await asked('select count(*) from ticket'))).toBeGreaterThan(then);
    await machines.on(await leader(), `runuser -u postgres -- psql -qc 'select pg_switch_wal()'`);
    await pause(5000);
    await follow(blocksOf('恢复到某一时刻'), (script) => script.replace('2026-11-24 08:30:00+08', beforeDrill));
    expect(Number(await asked('select count(*) from ticket'))).toBe(then);
    await whole();
  });

  test('the page’s commands for what is broken say how it stands, and make a standby anew', place, async () => {
    await follow(blocksOf('坏了会怎样'));
    await whole();
  });
});
