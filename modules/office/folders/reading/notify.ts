import { and, between, eq, sql, type SQL } from 'drizzle-orm';
import { changed } from '#kernel/server/live/changes.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { announce, closeTodo, newsOf } from '#modules/platform/messages/service.ts';
import { urging } from '#modules/platform/messages/service/news.ts';
import { urge } from '#modules/platform/messages/service/nudges.ts';
import { dateReminders, type Span } from '#modules/platform/messages/service/reminders.ts';
import type { Waits } from '#modules/platform/waits/service.ts';
import { paperStatus } from '../contract/list.ts';
import { nobodyToUrge } from '../contract/refusals.ts';
import { audienceOf, meantFor, readersOf, toConfirm, treeOf, unconfirmedOf } from '../papers/audience.ts';
import { paperTable, readTable } from '../tables.ts';
import { forgetMisses } from './misses.ts';

const module = 'folders';
/** Nobody is urged twice within this number of hours. */
const urgeEvery = 2;
const events = ['MUST_READ', 'URGE', 'MUST_READ_DUE'];
const expiring = 'PAPER_EXPIRING';

type ToRead = Pick<typeof paperTable.$inferSelect, 'id' | 'title' | 'version_no' | 'must_read' | 'read_deadline'>;
/** A changed day is a new occasion. */
const occasionOf = (at: string | null) => at ?? '';

const readingText = (paper: ToRead) => {
  const until = paper.read_deadline ? `请于 ${paper.read_deadline} 前阅读` : '请阅读';
  return paper.must_read ? `${until}《${paper.title}》，并在页面下方点“确认已读”。` : `${until}《${paper.title}》。`;
};
/** The news about papers; a changed day is a new occasion. */
export const paperNews = newsKinds({
  module,
  type: newsType.toDo,
  group: '制度文件',
  page: (id) => `/folder/detail/${id}`,
  of: ({ id, title, read_deadline }: Pick<ToRead, 'id' | 'title' | 'read_deadline'>) => ({
    id,
    title,
    occasion: occasionOf(read_deadline),
  }),
  kinds: {
    MUST_READ: { name: '有必读的制度文件', head: '必读文件', again: 'never' },
    MUST_READ_DUE: {
      name: '必读的制度文件快到期',
      head: '必读文件快到期',
      level: newsLevel.important,
      urgent: { name: '必读的制度文件今天到期', from: newsLevel.urgent, ways: ['sms', 'push'] },
    },
    PAPER_EXPIRING: { name: '我的制度文件即将失效', head: '制度文件即将失效', type: newsType.system, ways: [] },
    URGE: { ...urging, head: '请尽快阅读' },
  },
});

/**
 * Notifies everybody who must read a paper in force, each once, and withdraws the message from those who are no longer in its audience:
 * `before` is the former audience. Messages about a former day are withdrawn. Returns the size of the audience.
 */
export async function announcePaper(
  tx: Db,
  paper: ToRead & { expire_date: string | null },
  before: readonly number[],
): Promise<number> {
  const now = await audienceOf(tx, paper.id);
  changed(tx, 'folder', [...new Set([...before, ...now])]);
  const about = { module, objectId: paper.id };
  await closeTodo(tx, { ...about, events: [expiring], but: occasionOf(paper.expire_date) });
  if (!paper.must_read) {
    await closeTodo(tx, { ...about, events });
    return now.length;
  }
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
  const left = now.filter((id) => !done.has(id));
  await announce(tx, paperNews.MUST_READ, paper, { content: readingText(paper), by: null }, left);
  return now.length;
}

/** Withdraws the to-dos of a paper that is no longer in force: readers need not read it, and its owner need not decide on its expiry. */
export async function withdrawTodosOf(tx: Db, paperId: number): Promise<void> {
  changed(tx, 'folder', await audienceOf(tx, paperId));
  await closeTodo(tx, { module, objectId: paperId, events: [...events, expiring] });
}

/** Withdraws the to-do of a person who has read the paper. */
export async function readBy(tx: Db, paperId: number, userId: number): Promise<void> {
  changed(tx, 'folder', [userId]);
  await closeTodo(tx, { module, objectId: paperId, events }, [userId]);
}

/** Urges those who have not read a paper, each at most once in two hours; returns how many. */
export async function urgeReaders(tx: Db, paper: ToRead, senderId: number): Promise<number> {
  const { rows } = await tx.execute<{ id: number }>(sql`select id from (${readersOf(paper)}) r where late`);
  const news = newsOf(paperNews.URGE, paper, { content: readingText(paper), by: senderId });
  const late = rows.map((row) => row.id);
  return (await urge(tx, news, late, { name: '催读', nobody: nobodyToUrge, hours: urgeEvery })).length;
}

type Due = typeof paperTable.$inferSelect & { due: string };
/** Papers in force with a day within a span, locked until they are announced. */
const held = async (
  tx: Db,
  day: 'read_deadline' | 'expire_date',
  { first, last }: Span,
  which?: SQL,
): Promise<Due[]> => {
  const { id, status } = paperTable;
  const found = await tx
    .select()
    .from(paperTable)
    .where(and(eq(status, paperStatus.inForce), between(paperTable[day], first, last), which))
    .orderBy(id)
    .for('share');
  return found.map((paper) => ({ ...paper, due: paper[day]! }));
};
const idsOf = (rows: readonly Due[]) => rows.map((row) => row.id);

const remindReaders = dateReminders<Due>({
  kind: paperNews.MUST_READ_DUE,
  days: [3, 1, 0],
  due: (tx, span) => held(tx, 'read_deadline', span, eq(paperTable.must_read, true)),
  to: (tx, rows) => toConfirm(tx, idsOf(rows)),
  says: (paper, left) => ({
    title: `${left === 0 ? '必读文件今天到期' : `必读文件 ${left} 天内到期`}：${paper.title}`,
    content: readingText(paper),
    ...(left === 0 && { level: newsLevel.urgent }),
  }),
});

/** Asks the writer of a paper that expires soon to renew or repeal it. */
const askOwners = dateReminders<Due>({
  kind: paperNews.PAPER_EXPIRING,
  days: [60],
  due: (tx, span) => held(tx, 'expire_date', span),
  to: async (_tx, rows) => new Map(rows.map((row) => [row.id, [row.creator_id]])),
  says: (paper) => ({
    title: `制度文件即将失效：${paper.title}`,
    content: `《${paper.title}》将于 ${paper.due} 失效，请发布修订版、延长失效日期或废止。`,
  }),
});

const reminding = 'remind of papers';
/** The daily reminders of reading deadlines and of papers about to expire. */
export const paperTask = (databases: Pick<Databases, 'write'>): Task => ({
  name: reminding,
  title: '提醒必读与将失效的制度文件',
  run: (_payload, { now }) =>
    databases.write(async (tx) => {
      await remindReaders(tx, now);
      await askOwners(tx, now);
      await forgetMisses(tx);
    }),
});
export const paperSchedules: Schedule[] = [{ task: reminding, cron: '20 8 * * *', catchUpHours: 12 }];

const asked = sql`${paperTable.must_read} and ${paperTable.status} = ${paperStatus.inForce}`;
const endOf = sql`(read_deadline + time '23:59:59')::timestamptz`;
/** Papers in force that a person must read and has not confirmed. */
export const paperWaits: Waits = {
  key: 'paper',
  page: 'folder/index',
  path: '/folder/index?to_confirm=true',
  title: '必读文件',
  async mine(tx, user) {
    const { id, title, version_no } = paperTable;
    return sql`select ${id}, ${title}, ${endOf}, null::text, ${paperTable.published_at}, ${paperTable.creator_id} from ${paperTable}
      where ${asked} and ${meantFor({ user, ...(await treeOf(tx, user)) })} and not exists (select from folder_read r
        where r.paper_id = ${id} and r.user_id = ${user.id} and r.version_no = ${version_no} and r.confirmed_at is not null)`;
  },
  async everybodys(tx) {
    const papers = await tx.select({ id: paperTable.id }).from(paperTable).where(asked);
    return unconfirmedOf(
      papers.map((paper) => paper.id),
      sql`a.person, ${endOf}`,
    );
  },
  notesOpening: true,
  linkOf: (row) => `/folder/detail/${row.id}`,
};
