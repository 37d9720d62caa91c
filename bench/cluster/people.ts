import { setTimeout as pause } from 'node:timers/promises';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';

/** The results of people's work. */
export interface Met {
  /** Titles of the tickets that the product acknowledged, with the time. */
  acknowledged: { title: string; at: number }[];
  /** Unexpected answers. */
  strange: string[];
  /** The number of times that writes had to be sent again. */
  waited: number;
  reads: number;
  unread: number;
  /** The statuses of reads without a proper answer; 0 for none at all. */
  statuses: number[];
  slowestRead: number;
}

export interface People {
  readonly met: Met;
  /** Switches whether reads and repeated writes are counted. */
  count(reads: boolean): void;
  stop(): Promise<void>;
}

interface Envelope {
  code: number;
  msg: string;
  data: unknown;
}
const json = { 'content-type': 'application/json' };
/** As long as the browser holds a write and repeats it. */
const holdsMs = 120_000;

export interface Working {
  writers: number;
  /** Number of the first writer, if others worked before: titles and keys contain it. */
  first?: number;
  readers: number;
  password: string;
  workflow: number;
}

/** Simulates the demonstration's people at work: each writer sends one ticket after the other, under its key until it is acknowledged. */
export async function work(url: string, { writers, first = 0, readers, password, workflow }: Working): Promise<People> {
  const body = JSON.stringify({ username: 'qin.haoyu', password });
  const signedIn = await fetch(url + accounts.login.path, { method: 'POST', headers: json, body });
  const { msg, data } = (await signedIn.json()) as Envelope;
  if (!data) throw new Error(msg);
  const headers = { ...json, authorization: `JWT ${(data as { jwt: string }).jwt}` };
  const met: Met = { acknowledged: [], strange: [], waited: 0, reads: 0, unread: 0, statuses: [], slowestRead: 0 };
  let [over, counted] = [false, false];

  /** Null if there was no answer, or only that none is possible now. */
  async function send(title: string): Promise<Envelope | null> {
    const form = { title, category: 'equipment', place: '信息楼 301', urgency: 'normal', description: '连不上电脑。' };
    const reply = await fetch(url + tickets.start.path, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': title },
      body: JSON.stringify({ workflow_id: workflow, transition_id: 2, suggestion: '', ...form }),
    });
    if (reply.status === 500) met.strange.push(`“${title}”：500`);
    return reply.status < 500 ? ((await reply.json()) as Envelope) : null;
  }
  async function write(writer: number): Promise<void> {
    for (let serial = 1; !over; serial++) {
      const title = `w${writer}x${serial}`;
      const giveUp = performance.now() + holdsMs;
      for (;;) {
        const answer = await send(title).catch(() => null);
        if (answer?.code === 0) met.acknowledged.push({ title, at: performance.now() });
        else if (answer) met.strange.push(`“${title}”：${answer.code} ${answer.msg}`);
        else if (performance.now() > giveUp) met.strange.push(`“${title}”：两分钟没有保存`);
        else {
          if (counted) met.waited += 1;
          await pause(300);
          continue;
        }
        break;
      }
      await pause(20);
    }
  }
  async function read(reader: number): Promise<void> {
    const paths = [`${tickets.list.path}?category=all&per_page=20`, accounts.me.path, tickets.jiaobiao.path];
    for (let serial = reader; !over; serial++) {
      const [started, during] = [performance.now(), counted];
      const status = await fetch(url + paths[serial % paths.length]!, { headers }).then(
        async (reply) => (await reply.arrayBuffer(), reply.status),
        () => 0,
      );
      if (during) {
        met.reads += 1;
        if (status !== 200) {
          met.unread += 1;
          met.statuses.push(status);
        }
        met.slowestRead = Math.max(met.slowestRead, performance.now() - started);
      }
      await pause(50);
    }
  }
  const working = [
    ...Array.from({ length: writers }, (_, at) => write(first + at)),
    ...Array.from({ length: readers }, (_, at) => read(at)),
  ];
  return {
    met,
    count: (reads) => void (counted = reads),
    async stop() {
      over = true;
      await Promise.all(working);
    },
  };
}
