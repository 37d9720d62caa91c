import { and, eq, gte, lte, sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { changed } from '#kernel/server/changes.ts';
import type { Databases, Db } from '#kernel/server/db.ts';
import type { Task } from '#kernel/server/jobs.ts';
import type { Schedule } from '#kernel/server/schedules.ts';
import { closeTodo, tell, type News } from '#modules/messages/service.ts';
import { workingAmong } from '#modules/people/service.ts';
import { paperStatus } from './contract/rows.ts';
import { forgetMisses } from './misses.ts';
import { audienceOf } from './scope.ts';
import { paperTable, readTable } from './tables.ts';

const module = 'folders';
const system = 1;
const toDo = 2;
const important = 1;
const day = 86_400_000;
/** Days before its deadline at which who has not confirmed a paper hears of it again. */
const stages = [0, 1, 3] as const;
const expiringWithin = 60;
const events = ['MUST_READ', 'URGE', ...stages.map((left) => `MUST_READ_${left}`)];

interface ToRead {
  id: number;
  title: string;
  versionNo: number;
  mustRead: boolean;
  readDeadline: string | null;
}

function newsOf(paper: ToRead, event: string, title: string): News {
  const until = paper.readDeadline ? `请于 ${paper.readDeadline} 前阅读` : '请阅读';
  return {
    title: `${title}：${paper.title}`,
    content: paper.mustRead ? `${until}《${paper.title}》，并在页面下方点“确认已读”。` : `${until}《${paper.title}》。`,
    type: toDo,
    module,
    objectId: paper.id,
    event,
    webPath: `/folder/detail/${paper.id}`,
  };
}

/**
 * Tells everybody a paper in force must be read by, each once, and takes the message from those it is not meant for any
 * more: `before` names whom it was meant for.
 */
export async function announce(tx: Db, paper: ToRead, before: readonly number[]): Promise<void> {
  const now = await audienceOf(tx, paper.id);
  changed(tx, 'folder', [...new Set([...before, ...now])]);
  if (!paper.mustRead) return closeTodo(tx, { module, objectId: paper.id, events });
  const meant = new Set(now);
  const out = before.filter((id) => !meant.has(id));
  if (out.length > 0) await closeTodo(tx, { module, objectId: paper.id, events }, out);
  const done = await confirmedBy(tx, paper);
  await tell(
    tx,
    { ...newsOf(paper, 'MUST_READ', '必读文件'), once: true },
    now.filter((id) => !done.has(id)),
  );
}

/** Nobody has to read it any more. */
export async function hushed(tx: Db, paperId: number): Promise<void> {
  changed(tx, 'folder', await audienceOf(tx, paperId));
  await closeTodo(tx, { module, objectId: paperId, events });
}

/** A person has read what there was to read. */
export async function readBy(tx: Db, paperId: number, userId: number): Promise<void> {
  changed(tx, 'folder', [userId]);
  await closeTodo(tx, { module, objectId: paperId, events }, [userId]);
}

/** Reminds people to read, at most every ten minutes. */
export function urge(tx: Db, paper: ToRead, senderId: number, to: readonly number[]): Promise<number> {
  return tell(tx, { ...newsOf(paper, 'URGE', '请尽快阅读'), level: important, senderId }, to);
}

async function confirmedBy(tx: Db, paper: ToRead): Promise<Set<number>> {
  const rows = await tx
    .select({ id: readTable.userId })
    .from(readTable)
    .where(
      and(
        eq(readTable.paperId, paper.id),
        eq(readTable.versionNo, paper.versionNo),
        sql`${readTable.confirmed} is not null`,
      ),
    );
  return new Set(rows.map((row) => row.id));
}

const remind = 'remind of papers';

/** Once a day: papers whose reading deadline is near, and papers that are about to expire. */
export function paperTask(databases: Pick<Databases, 'write'>): Task {
  return {
    name: remind,
    run: (_payload, { now }) =>
      databases.write(async (tx) => {
        await remindReaders(tx, now);
        await askOwners(tx, now);
        await forgetMisses(tx);
      }),
  };
}
export const paperSchedules: Schedule[] = [{ task: remind, cron: '20 8 * * *', catchUpHours: 12 }];

const dayAfter = (now: Date, days: number) => dayOf(new Date(now.getTime() + days * day));

/** Each stage is told once; one that was missed is told while the next has not come. */
async function remindReaders(tx: Db, now: Date): Promise<void> {
  const due = await tx
    .select()
    .from(paperTable)
    .where(
      and(
        eq(paperTable.status, paperStatus.inForce),
        paperTable.mustRead,
        gte(paperTable.readDeadline, dayAfter(now, 0)),
        lte(paperTable.readDeadline, dayAfter(now, stages.at(-1)!)),
      ),
    );
  for (const paper of due) {
    const stage = stages.find((left) => paper.readDeadline! <= dayAfter(now, left))!;
    const done = await confirmedBy(tx, paper);
    const left = (await audienceOf(tx, paper.id)).filter((id) => !done.has(id));
    const title = stage === 0 ? '必读文件今天到期' : `必读文件 ${stage} 天内到期`;
    await tell(tx, { ...newsOf(paper, `MUST_READ_${stage}`, title), level: important, once: true }, left);
  }
}

/** Who wrote a paper that expires soon is asked to renew or repeal it. */
async function askOwners(tx: Db, now: Date): Promise<void> {
  const expiring = await tx
    .select()
    .from(paperTable)
    .where(
      and(
        eq(paperTable.status, paperStatus.inForce),
        gte(paperTable.expireDate, dayAfter(now, 0)),
        lte(paperTable.expireDate, dayAfter(now, expiringWithin)),
      ),
    );
  for (const paper of expiring)
    await tell(
      tx,
      {
        ...newsOf(paper, 'PAPER_EXPIRING', '制度文件即将失效'),
        content: `《${paper.title}》将于 ${paper.expireDate} 失效，请发布修订版、延长失效日期或废止。`,
        type: system,
        once: true,
      },
      await workingAmong(tx, [paper.creatorId]),
    );
}
