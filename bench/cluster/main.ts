// Does to a running cluster what happens to machines and says what people met: what was acknowledged is there once, and reading goes on.
// `npm run cluster-test [-- --rounds 20] [--lease 20] [--pooled] [--fault lost] [--quick]`: three servers of the embedded PostgreSQL with
// synchronous standbys, two nodes, nginx. `--pooled`: by a pool that hands out sessions; `--quick` keeps no figures.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
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
  },
});
const lease = Number(given.lease);
const rounds = Number(given.rounds);
const isFault = (name: string): name is Fault => Object.hasOwn(faults, name);
const wanted = (given.fault ?? Object.keys(faults)).filter(isFault);
/** How much longer than the lease writes may stand still. */
const graceMs = 3000;

/** What is not as it has to be, in words. */
function amiss({ lost, twice, unread, reads, stood, strange }: Found): string[] {
  return [
    ...(lost > 0 ? [`${lost} 次已确认的提交丢失`] : []),
    ...(twice > 0 ? [`${twice} 次提交做了两次`] : []),
    ...(unread > reads / 100 ? [`${reads} 次查看中 ${unread} 次没有回答`] : []),
    ...(stood > lease * 1000 + graceMs ? [`提交停了 ${stood} ms`] : []),
    ...strange,
  ];
}

async function run(nginx: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gongdan-cluster-'));
  chmodSync(folder, 0o755);
  const all = new Map<Fault, Found[]>(wanted.map((fault) => [fault, []]));
  let bad = 0;
  try {
    const template = await makeTemplate(folder);
    const drill = { leaseMs: lease * 1000, writers: Number(given.writers), readers: 2, pooled: given.pooled, nginx };
    for (let round = 1; round <= rounds; round++)
      for (const fault of wanted) {
        const found = await tryOut(template, fault, drill);
        all.get(fault)!.push(found);
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
        name: given.pooled ? 'pooled' : 'cluster',
        title: given.pooled ? '集群故障，经会话连接池' : '集群故障',
        about: `\`npm run cluster-test\`：三个 PostgreSQL（一个同步备库）、两个节点、nginx，租约 ${lease} 秒，每种故障 ${rounds} 轮，${given.writers} 个提交者、2 个查看者。目标：不丢、不重，查看 100 次中至少 99 次有回答，提交在租约加 3 秒之内恢复。`,
        columns: ['故障', '已确认', '丢失', '重复', '故障中的查看', '没有回答', '查看最长 s', '提交最长停顿 s'],
        rows: [...all].map(([fault, each]) => [
          faults[fault],
          shown(sum(each, (one) => one.acknowledged)),
          sum(each, (one) => one.lost),
          sum(each, (one) => one.twice),
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
