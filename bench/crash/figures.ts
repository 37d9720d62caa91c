import { shown, type Table } from '../report.ts';
import type { Life } from './lives.ts';
import type { Counts } from './living.ts';

/** The processes to kill, with their names. */
export const victims = { server: '服务', database: '数据库', both: '服务与数据库' } as const;
export type Victim = keyof typeof victims;

interface Run {
  seed: number;
  writers: number;
  kills: Record<Victim, number>;
  all: readonly Life[];
  counts: Counts;
  troubles: readonly string[];
  /** Milliseconds from each kill until the product was ready again. */
  readyAfter: readonly number[];
  /** The number of deliveries that were posted, and of those that arrived. */
  keys: number;
  came: number;
}

/** The figures of a run as a table of the benchmark. */
export function figures({ seed, writers, kills, all, counts, troubles, readyAfter, keys, came }: Run): Table {
  const of = (kind: string) => shown(all.filter((life) => life.kind === kind).length);
  const kinds = new Set(all.map((life) => life.kind)).size;
  const sorted = readyAfter.toSorted((a, b) => a - b);
  const repeats = came - keys;
  const share = shown((100 * repeats) / Math.max(1, keys), 2);
  const times = (Object.keys(victims) as Victim[]).map((victim) => `${victims[victim]} ${kills[victim]}`);
  return {
    name: 'crash',
    title: '崩溃',
    about: `\`npm run crash-test\`：${writers} 个写入者同时办理 ${kinds} 种过程的工单，以及公文、制度文件、合同和用印；在随机的时刻以 SIGKILL 杀掉服务、数据库或两者，每次重启后把每一步与数据库、流转记录及其链逐条核对。目标：一步不丢，一步不重。种子 ${seed}。`,
    columns: ['', '数值'],
    rows: [
      ['杀掉', times.join('，')],
      ['工单、公文、制度文件、合同与用印', shown(all.length)],
      ['其中合同 / 用印', `${of('合同')} / ${of('用印')}`],
      ['已确认的操作', shown(counts.acknowledged)],
      ['没有答复的请求', shown(counts.cut)],
      ['其中数据库已提交', shown(counts.committed.size)],
      ['以原编号再次提交', shown(counts.repeated)],
      ['丢失、重复或只做了一半', shown(troubles.length)],
      ['投递', shown(keys)],
      ['重复投递', `${shown(repeats)}（${share}%）`],
      [
        '再次就绪 p50 / 最长 ms',
        `${shown(sorted[Math.floor(sorted.length / 2)] ?? 0, 0)} / ${shown(sorted.at(-1) ?? 0, 0)}`,
      ],
    ],
  };
}
