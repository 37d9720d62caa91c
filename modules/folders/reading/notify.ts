import { and, eq, gte, lte, sql, type SQL } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { changed } from '#kernel/server/live/changes.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { closeTodo, remind, notifyPeople, type News } from '#modules/messages/service.ts';
import { urge } from '#modules/messages/service/nudges.ts';
import { workingAmong } from '#modules/people/service.ts';
import { paperStatus } from '../contract/list.ts';
import { nobodyToUrge } from '../contract/refusals.ts';
import { audienceOf, readersOf, toConfirm } from '../papers/audience.ts';
import { paperTable, readTable } from '../tables.ts';
import { forgetMisses } from './misses.ts';

const module = 'folders';
const system = 1;
const toDo = 2;
const important = 1;
const day = 86_400_000;
/** Hours within which nobody is urged twice. */
const urgeEvery = 2;
/** Days before its deadline at which who has not confirmed a paper hears of it again. */
const stages = [0, 1, 3] as const;
const expiringWithin = 60;
const events = ['MUST_READ', 'URGE', ...stages.map((left) => `MUST_READ_${left}`)];
const expiring = 'PAPER_EXPIRING';

type ToRead = Pick<typeof paperTable.$inferSelect, 'id' | 'title' | 'version_no' | 'must_read' | 'read_deadline'>;
/** What is told of one day is told again of another. */
const occasionOf = (at: string | null) => at ?? '';

function newsOf(paper: ToRead, event: string, title: string): News {
  const until = paper.read_deadline ? `请于 ${paper.read_deadline} 前阅读` : '请阅读';
  return {
    title: `${title}：${paper.title}`,
    content: paper.must_read
      ? `${until}《${paper.title}》，并在页面下方点“确认已读”。`
      : `${until}《${paper.title}》。`,
    type: toDo,
    module,
    objectId: paper.id,
    event,
    occasion: occasionOf(paper.read_deadline),
    webPath: `/folder/detail/${paper.id}`,
  };
}

/**
 * Tells everybody a paper in force must be read by, each once, and takes the message from those it is not meant for any
 * more: `before` names whom it was meant for. What was told of another day is gone.
 */
export async function announce(
  tx: Db,
  paper: ToRead & { expire_date: string | null },
  before: readonly number[],
): Promise<void> {
  const now = await audienceOf(tx, paper.id);
  changed(tx, 'folder', [...new Set([...before, ...now])]);
  const about = { module, objectId: paper.id };
  await closeTodo(tx, { ...about, events: [expiring], but: occasionOf(paper.expire_date) });
  if (!paper.must_read) return closeTodo(tx, { ...about, events });
  await closeTodo(tx, { ...about, events, but: occasionOf(paper.read_deadline) });
  const meant = new Set(now);
  const out = before.filter((id) => !meant.has(id));
  if (out.length > 0) await closeTodo(tx, { ...about, events }, out);
  const { paper_id, version_no, user_id } = readTable;
  const read = and(
    eq(paper_id, paper.id),
    eq(version_no, paper.version_no),
    sql`${readTable.confirmed_at} is not null`,
  );
  const done = new Set((await tx.select({ user_id }).from(readTable).where(read)).map((row) => row.user_id));
  const news = { ...newsOf(paper, 'MUST_READ', '必读文件'), once: true };
  await notifyPeople(
    tx,
    news,
    now.filter((id) => !done.has(id)),
  );
}

/** It is not in force any more: nobody has to read it, or to say what shall become of it. */
export async function withdrawTodosOf(tx: Db, paperId: number): Promise<void> {
  changed(tx, 'folder', await audienceOf(tx, paperId));
  await closeTodo(tx, { module, objectId: paperId, events: [...events, expiring] });
}

/** A person has read what there was to read. */
export async function readBy(tx: Db, paperId: number, userId: number): Promise<void> {
  changed(tx, 'folder', [userId]);
  await closeTodo(tx, { module, objectId: paperId, events }, [userId]);
}

/** Urges those who have not read a paper, each at most once in two hours; answers how many. */
export async function urgeReaders(tx: Db, paper: ToRead, senderId: number): Promise<number> {
  const { rows } = await tx.execute<{ id: number }>(sql`select id from (${readersOf(paper)}) r where late`);
  if (rows.length === 0) throw nobodyToUrge();
  const news = { ...newsOf(paper, 'URGE', '请尽快阅读'), level: important, senderId };
  const urged = await urge(
    tx,
    '催读',
    news,
    rows.map((row) => row.id),
    { hours: urgeEvery },
  );
  return urged.length;
}

const reminding = 'remind of papers';

/** Once a day: papers whose reading deadline is near, and papers that are about to expire. */
export function paperTask(databases: Pick<Databases, 'write'>): Task {
  return {
    name: reminding,
    title: '提醒必读与将失效的制度文件',
    run: (_payload, { now }) =>
      databases.write(async (tx) => {
        await remindReaders(tx, now);
        await askOwners(tx, now);
        await forgetMisses(tx);
      }),
  };
}
export const paperSchedules: Schedule[] = [{ task: reminding, cron: '20 8 * * *', catchUpHours: 12 }];

const dayAfter = (now: Date, days: number) => dayOf(new Date(now.getTime() + days * day));

/** Stays as it is until it is told of: whoever moves its days finds what was told of the old ones. */
const held = (tx: Db, where: SQL | undefined) => {
  const { id, title, version_no, must_read, read_deadline, expire_date, creator_id, status } = paperTable;
  return tx
    .select({ id, title, version_no, must_read, read_deadline, expire_date, creator_id })
    .from(paperTable)
    .where(and(eq(status, paperStatus.inForce), where))
    .orderBy(id)
    .for('share');
};

/** Each stage is told once; one that was missed is told while the next has not come. */
async function remindReaders(tx: Db, now: Date): Promise<void> {
  const { must_read, read_deadline } = paperTable;
  const last = dayAfter(now, stages.at(-1)!);
  const due = await held(tx, and(must_read, gte(read_deadline, dayAfter(now, 0)), lte(read_deadline, last)));
  const left = await toConfirm(
    tx,
    due.map((paper) => paper.id),
  );
  await remind(
    tx,
    due.map((paper) => {
      const stage = stages.find((days) => paper.read_deadline! <= dayAfter(now, days))!;
      const title = stage === 0 ? '必读文件今天到期' : `必读文件 ${stage} 天内到期`;
      return {
        news: { ...newsOf(paper, `MUST_READ_${stage}`, title), level: important },
        to: left.get(paper.id) ?? [],
      };
    }),
  );
}

/** Who wrote a paper that expires soon is asked to renew or repeal it. */
async function askOwners(tx: Db, now: Date): Promise<void> {
  const { expire_date } = paperTable;
  const last = dayAfter(now, expiringWithin);
  const soon = await held(tx, and(gte(expire_date, dayAfter(now, 0)), lte(expire_date, last)));
  const here = new Set(
    await workingAmong(
      tx,
      soon.map((paper) => paper.creator_id),
    ),
  );
  await remind(
    tx,
    soon.map((paper) => ({
      news: {
        ...newsOf(paper, expiring, '制度文件即将失效'),
        content: `《${paper.title}》将于 ${paper.expire_date} 失效，请发布修订版、延长失效日期或废止。`,
        type: system,
        occasion: occasionOf(paper.expire_date),
      },
      to: here.has(paper.creator_id) ? [paper.creator_id] : [],
    })),
  );
}
