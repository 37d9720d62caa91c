// Causes typical machine faults in a running cluster and reports what people met: every acknowledged write exists once, and reading continues. `npm
// run cluster-test [-- --rounds 20] [--lease 20] [--pooled] [--fault woken] [--quick]`: three servers of the embedded PostgreSQL with synchronous
// standbys, two nodes, nginx. `--pooled` uses a pool that hands out sessions; `--quick` keeps no figures; `--onto FILE` adds to the rounds of an
// earlier run of the same kind. `--from REF`: both nodes and the tables are those of that commit at first, and become ours under the load.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { obtainNginx } from '../../scripts/find-nginx.ts';
import { report, shown } from '../report.ts';
import { faults, makeTemplate, tryOut, type Fault, type Found } from './drill.ts';

const { values: given } = parseArgs({
  options: {
    lease: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '1' },
    writers: { type: 'string', default: '4' },
    fault: { type: 'string', multiple: true },
    pooled: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    onto: { type: 'string' },
    from: { type: 'string' },
  },
});
const lease = Number(given.lease);
const rounds = Number(given.rounds);
const isFault = (name: string): name is Fault => Object.hasOwn(faults, name);
const wanted = given.from
  ? (['upgrade'] as const)
  : (given.fault ?? Object.keys(faults)).filter(isFault).filter((fault) => fault !== 'upgrade');
/** The time beyond the lease for which writes may stop. */
const graceMs = 3000;

/**
 * The files of a commit, with our packages. Until the product is released `0001-tables.sql` is regenerated with each change, and the commit's version
 * would be refused as changed, so migrations that both versions have are taken from the present. Migrations that the commit lacks run under the load.
 */
function checkoutOf(ref: string, folder: string): string {
  const here = join(import.meta.dirname, '..', '..');
  const to = join(folder, 'before');
  mkdirSync(to);
  const files = execFileSync('git', ['archive', ref], { cwd: here, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', to], { input: files });
  symlinkSync(realpathSync(join(here, 'node_modules')), join(to, 'node_modules'));
  for (const name of readdirSync(join(to, 'migrations')))
    if (existsSync(join(here, 'migrations', name)))
      copyFileSync(join(here, 'migrations', name), join(to, 'migrations', name));
  return to;
}

/** The violated expectations, in words. */
function amiss({ lost, twice, waited, migrations, unread, reads, stood, strange }: Found): string[] {
  return [
    ...(lost > 0 ? [`${lost} 次已确认的提交丢失`] : []),
    ...(twice > 0 ? [`${twice} 次提交做了两次`] : []),
    ...(unread > reads / 100 ? [`${reads} 次查看中 ${unread} 次没有回答`] : []),
    ...(stood > lease * 1000 + graceMs ? [`提交停了 ${stood} ms`] : []),
    ...(given.from && waited > 0 ? [`${waited} 次提交没有得到回答，再次提交`] : []),
    ...(given.from && migrations === 0 ? [`${given.from} 与现在的表结构相同`] : []),
    ...strange,
  ];
}

async function run(nginx: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gongdan-cluster-'));
  chmodSync(folder, 0o755);
  const kept: Partial<Record<Fault, Found[]>> =
    given.onto && existsSync(given.onto) ? (JSON.parse(readFileSync(given.onto, 'utf8')) as typeof kept) : {};
  const all = new Map<Fault, Found[]>(wanted.map((fault) => [fault, kept[fault] ?? []]));
  let bad = 0;
  try {
    const root = given.from ? checkoutOf(given.from, folder) : undefined;
    const template = await makeTemplate(join(folder, 'template'), root);
    const drill = {
      leaseMs: lease * 1000,
      writers: Number(given.writers),
      readers: 2,
      pooled: given.pooled,
      nginx,
      root,
    };
    for (let round = 1; round <= rounds; round++)
      for (const fault of wanted) {
        const found = await tryOut(template, fault, drill);
        all.get(fault)!.push(found);
        if (given.onto) writeFileSync(given.onto, JSON.stringify(Object.fromEntries(all)));
        console.log(`第 ${round} 轮，${faults[fault]}：${JSON.stringify(found)}`);
        for (const text of amiss(found)) {
          bad += 1;
          console.error(`  不对：${text}`);
        }
      }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const sum = (each: Found[], of: (one: Found) => number) => each.reduce((total, one) => total + of(one), 0);
  const most = (each: Found[], of: (one: Found) => number) => shown(Math.max(...each.map(of)) / 1000);
  await report(
    [
      {
        name: given.from ? 'upgrade' : given.pooled ? 'pooled' : 'cluster',
        title: given.from ? `升级：从 ${given.from} 到现在` : given.pooled ? '集群故障，经会话连接池' : '集群故障',
        about: `\`npm run cluster-test${given.pooled ? ' -- --pooled' : given.from ? ` -- --from ${given.from}` : ''}\`：三个 PostgreSQL（一个同步备库）、两个节点、nginx，租约 ${lease} 秒，每种故障 ${Math.min(...[...all.values()].map((each) => each.length))} 轮，${given.writers} 个提交者、2 个查看者。${given.from ? `升级之前的程序是该提交的，两者都有的结构文件是现在的；其间执行结构文件 ${Math.max(...[...all.values()].flat().map((one) => one.migrations))} 个。目标：不丢、不重，每次提交一次即得到回答，查看 100 次中至少 99 次有回答。` : '目标：不丢、不重，查看 100 次中至少 99 次有回答，提交在租约加 3 秒之内恢复；旧主库夺回主位时，两个节点都只查看、不保存，已确认而其中没有的都列出，接受之后恢复保存。'}`,
        columns: [
          '故障',
          '已确认',
          '丢失',
          '重复',
          '再次提交',
          '故障中的查看',
          '没有回答',
          '查看最长 s',
          '提交最长停顿 s',
        ],
        rows: [...all].map(([fault, each]) => [
          faults[fault],
          shown(sum(each, (one) => one.acknowledged)),
          sum(each, (one) => one.lost),
          sum(each, (one) => one.twice),
          shown(sum(each, (one) => one.waited)),
          shown(sum(each, (one) => one.reads)),
          sum(each, (one) => one.unread),
          most(each, (one) => one.slowestRead),
          most(each, (one) => one.stood),
        ]),
      },
    ],
    given.quick || bad > 0,
  );
  return bad === 0 ? 0 : 1;
}

const nginx = obtainNginx();
process.exitCode = nginx ? await run(nginx) : 1;
