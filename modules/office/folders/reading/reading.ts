import { and, eq, isNull, sql } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { absent, forbidden, tooMany } from '#kernel/contract/refusal.ts';
import type { Attempts, Limit } from '#kernel/server/access/attempts.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { receiptsOf } from '#modules/platform/people/service/receipts.ts';
import type { folders } from '../contract.ts';
import { paperStatus, statusName } from '../contract/list.ts';
import * as refusals from '../contract/refusals.ts';
import { meantFor, readersOf, type PaperViewer } from '../papers/audience.ts';
import { readBySelf } from '../papers/list.ts';
import { papers, type Stored } from '../papers/record.ts';
import { paperTable, readTable } from '../tables.ts';
import { readBy, urgeReaders } from './notify.ts';

const tries: Limit = { kind: 'folder_quiz', limit: 5, seconds: 600 };

/** The viewer's relation to a paper, and their reading progress. */
async function partIn(tx: Db, viewer: PaperViewer, id: number) {
  const paper = await papers.requireVisible(tx, viewer, id);
  const [part] = await tx
    .select({
      meant: sql<boolean>`${meantFor(viewer)}`,
      managed: sql<boolean>`${papers.reaches(viewer, 'Retrieve')}`,
      updates: sql<boolean>`${papers.reaches(viewer, 'Update')}`,
      opened: readTable.first_time,
      confirmed: readTable.confirmed_at,
    })
    .from(paperTable)
    .leftJoin(readTable, readBySelf(viewer))
    .where(eq(paperTable.id, id));
  if (!part) throw absent('该文件');
  return { paper, ...part };
}

/** Records the reading of a person in the audience, or lists the readers. */
export async function read(tx: Db, viewer: PaperViewer, query: QueryOf<typeof folders.read>) {
  const { paper, meant, managed } = await partIn(tx, viewer, query.paper_id);
  const none = { times: 0, first_time: null, confirmed_at: null, to_confirm: false, readers: null };
  if (query.list && !managed) throw forbidden('查看阅读情况');
  if (query.list)
    return { ...none, readers: await receiptsOf(tx, readersOf(paper), { named: true, viewer: viewer.user.id }) };
  if (!meant) return none;
  const [mine] = await tx
    .insert(readTable)
    .values({ user_id: viewer.user.id, paper_id: paper.id, version_no: paper.version_no })
    .onConflictDoUpdate({
      target: [readTable.paper_id, readTable.user_id, readTable.version_no],
      set: { last_time: sql`now()`, times: sql`${readTable.times} + 1` },
    })
    .returning();
  if (mine!.times === 1) await count(tx, paper, { read_count: sql`${paperTable.read_count} + 1` });
  const { times, first_time, confirmed_at } = mine!;
  const to_confirm = paper.must_read && paper.status === paperStatus.inForce && confirmed_at === null;
  return { times, first_time, confirmed_at, to_confirm, readers: null };
}

/** Confirms one's own reading, or reminds those who have not read. */
export async function answer(tx: Db, viewer: PaperViewer, body: BodyOf<typeof folders.answer>) {
  if (Boolean(body.confirm) === Boolean(body.urge)) throw refusals.askOneThing();
  const { paper, meant, updates, opened, confirmed } = await partIn(tx, viewer, body.paper_id);
  if (body.urge && !updates) throw forbidden('催读');
  if (paper.status !== paperStatus.inForce)
    throw refusals.otherStatus(statusName(paper.status), '只有现行有效的文件可以这样处理');
  if (body.urge) return { count: await urgeReaders(tx, paper, viewer.user.id) };
  if (!paper.must_read || !meant) throw refusals.notMustRead();
  if (!opened) throw refusals.notOpened();
  if (confirmed) return { count: 1 };
  await checkAnswers(paper, viewer.user, body.answers ?? [], tx.services.attempts);
  const own = and(
    eq(readTable.paper_id, paper.id),
    eq(readTable.user_id, viewer.user.id),
    eq(readTable.version_no, paper.version_no),
  );
  const [mine] = await tx
    .update(readTable)
    .set({ confirmed_at: sql`now()` })
    .where(and(own, isNull(readTable.confirmed_at)))
    .returning();
  if (!mine) return { count: 1 };
  await count(tx, paper, { confirm_count: sql`${paperTable.confirm_count} + 1` });
  await readBy(tx, paper.id, viewer.user.id);
  return { count: 1 };
}
const count = (tx: Db, { id }: Stored, set: object) => tx.update(paperTable).set(set).where(eq(paperTable.id, id));

/** Checks that all questions are answered correctly, and limits retries. */
async function checkAnswers(
  { id, quiz }: Stored,
  user: { id: number },
  answers: readonly number[],
  attempts: Attempts,
): Promise<void> {
  if (quiz.length === 0) return;
  if (answers.length !== quiz.length) throw refusals.quizUnanswered(quiz.length);
  const { exceeded, retryAfter } = await attempts.hit(tries, `${id}:${user.id}`);
  if (exceeded) throw tooMany('答题', retryAfter);
  const right = quiz.filter((one, index) => one.answer === answers[index]).length;
  if (right < quiz.length) throw refusals.quizWrong(right, quiz.length);
}
