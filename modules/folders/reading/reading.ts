import { and, eq, isNull, sql } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { absent, forbidden, tooMany } from '#kernel/contract/refusal.ts';
import type { Attempts, Limit } from '#kernel/server/access/attempts.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { folders } from '../contract.ts';
import type { DeptReading } from '../contract/reading.ts';
import {
  askOneThing,
  nobodyToUrge,
  notInForce,
  notMustRead,
  notOpened,
  quizUnanswered,
  quizWrong,
} from '../contract/refusals.ts';
import { statuses } from '../contract/list.ts';
import type { Question } from '../contract/quiz.ts';
import { paperStatus } from '../contract/rows.ts';
import {
  managedBy,
  meantFor,
  opens,
  readersOf,
  visibleTo,
  type Reader,
  type PaperViewer,
} from '../categories/visibility.ts';
import { readBySelf } from '../papers/paper-rows.ts';
import { paperTable, readTable } from '../tables.ts';
import { readBy, urge } from './notify.ts';

const shown = 100;
const tries: Limit = { kind: 'folder_quiz', limit: 5, seconds: 600 };

/** Records the reading of whom the paper is meant for, or answers who has read it. */
export async function read(tx: Db, user: PaperViewer, query: QueryOf<typeof folders.read>) {
  const [paper] = await tx
    .select({
      id: paperTable.id,
      version_no: paperTable.version_no,
      must_read: paperTable.must_read,
      status: paperTable.status,
      meant: sql<boolean>`${meantFor(user)}`,
      managed: sql<boolean>`${managedBy(user, 'Retrieve')}`,
    })
    .from(paperTable)
    .where(eq(paperTable.id, query.paper_id));
  if (!paper || !(await opens(tx, user, paper.id))) throw absent('该文件');
  const none = { times: 0, first_time: null, confirmed_at: null, to_confirm: false };
  if (query.list) {
    if (!paper.managed) throw forbidden('查看阅读情况');
    return { ...none, readers: summed(await readersOf(tx, paper.id), paper.must_read) };
  }
  if (!paper.meant) return { ...none, readers: null };
  const [mine] = await tx
    .insert(readTable)
    .values({ user_id: user.id, paper_id: paper.id, version_no: paper.version_no })
    .onConflictDoUpdate({
      target: [readTable.paper_id, readTable.user_id, readTable.version_no],
      set: { last_time: sql`now()`, times: sql`${readTable.times} + 1` },
    })
    .returning();
  if (mine!.times === 1)
    await tx
      .update(paperTable)
      .set({ read_count: sql`${paperTable.read_count} + 1` })
      .where(eq(paperTable.id, paper.id));
  const toConfirmNow = paper.must_read && paper.status === paperStatus.inForce && mine!.confirmed_at === null;
  return {
    times: mine!.times,
    first_time: mine!.first_time,
    confirmed_at: mine!.confirmed_at,
    to_confirm: toConfirmNow,
    readers: null,
  };
}

/** Confirms one's own reading, or reminds those who have not read. */
export async function answer(tx: Db, user: PaperViewer, body: BodyOf<typeof folders.answer>, attempts: Attempts) {
  if (Boolean(body.confirm) === Boolean(body.urge)) throw askOneThing();
  const [paper] = await tx
    .select({
      id: paperTable.id,
      title: paperTable.title,
      version_no: paperTable.version_no,
      must_read: paperTable.must_read,
      read_deadline: paperTable.read_deadline,
      quiz: paperTable.quiz,
      confirmed: sql<boolean>`${readTable.confirmed_at} is not null`,
      opened: sql<boolean>`${readTable.user_id} is not null`,
      status: paperTable.status,
      meant: sql<boolean>`${meantFor(user)}`,
      updates: sql<boolean>`${managedBy(user, 'Update')}`,
    })
    .from(paperTable)
    .leftJoin(readTable, readBySelf(user))
    .where(and(eq(paperTable.id, body.paper_id), visibleTo(user)));
  if (!paper) throw absent('该文件');
  if (body.urge && !paper.updates) throw forbidden('催读');
  if (paper.status !== paperStatus.inForce) throw notInForce(statuses[paper.status as keyof typeof statuses]);
  if (body.urge) {
    const late = (await readersOf(tx, paper.id)).filter((one) => isLate(one, paper.must_read));
    if (late.length === 0) throw nobodyToUrge();
    const ids = late.map((one) => one.id);
    return { count: await urge(tx, paper, user.id, ids) };
  }
  if (!paper.must_read || !paper.meant) throw notMustRead();
  if (!paper.opened) throw notOpened();
  if (paper.confirmed) return { count: 1 };
  await checkAnswers(paper, user, body.answers ?? [], attempts);
  const [mine] = await tx
    .update(readTable)
    .set({ confirmed_at: sql`now()` })
    .where(
      and(
        eq(readTable.paper_id, paper.id),
        eq(readTable.user_id, user.id),
        eq(readTable.version_no, paper.version_no),
        isNull(readTable.confirmed_at),
      ),
    )
    .returning({ user_id: readTable.user_id });
  if (!mine) return { count: 1 };
  await tx
    .update(paperTable)
    .set({ confirm_count: sql`${paperTable.confirm_count} + 1` })
    .where(eq(paperTable.id, paper.id));
  await readBy(tx, paper.id, user.id);
  return { count: 1 };
}

/** Refuses to confirm a paper with questions until all are answered right; five tries in ten minutes. */
async function checkAnswers(
  { id, quiz }: { id: number; quiz: readonly Question[] },
  user: PaperViewer,
  answers: readonly number[],
  attempts: Attempts,
): Promise<void> {
  if (quiz.length === 0) return;
  if (answers.length !== quiz.length) throw quizUnanswered(quiz.length);
  const { exceeded, retryAfter } = await attempts.hit(tries, `${id}:${user.id}`);
  if (exceeded) throw tooMany('答题', retryAfter);
  const right = quiz.filter((one, index) => one.answer === answers[index]).length;
  if (right < quiz.length) throw quizWrong(right, quiz.length);
}

function summed(people: readonly Reader[], mustRead: boolean) {
  const depts = [...Map.groupBy(people, (one) => one.dept_id)].map(([dept_id, all]): DeptReading => {
    const named = (late: boolean) =>
      all
        .filter((one) => isLate(one, mustRead) === late)
        .slice(0, shown)
        .map(({ id, alias }) => ({ id, alias }));
    return {
      dept_id,
      dept_name: all[0]!.dept_name,
      total: all.length,
      read: all.filter((one) => one.read).length,
      confirmed: all.filter((one) => one.confirmed).length,
      done: named(false),
      unread: named(true),
    };
  });
  const sum = (key: 'total' | 'read' | 'confirmed') => depts.reduce((all, dept) => all + dept[key], 0);
  return { total: sum('total'), read: sum('read'), confirmed: sum('confirmed'), depts };
}

/** A paper that must be read is read once that is confirmed. */
const isLate = (one: Reader, mustRead: boolean) => !(mustRead ? one.confirmed : one.read);
