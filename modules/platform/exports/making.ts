import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { dayOf } from '#kernel/contract/moment.ts';
import { absent, forbidden, Refusal } from '#kernel/contract/refusal.ts';
import { holds, mayCall, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { answerOf } from '#kernel/server/generic.ts';
import { openSheet } from '#kernel/server/export/export.ts';
import { parsed } from '#kernel/server/http/envelope.ts';
import { isStaged, withoutRequest, type Context, type Mounted } from '#kernel/server/http/implement.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { changed } from '#kernel/server/live/changes.ts';
import { detach, giveMade, keepMadeStream } from '#modules/platform/files/service.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { making, tries } from './asking.ts';
import { keptDays } from './contract.ts';
import { exportTable as e } from './tables.ts';

type ExportJob = typeof e.$inferSelect;
const sheetKind = { ext: 'xlsx', mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' };

/** Milliseconds after which an export is given up. */
const longest = 30 * 60_000;

/** Its person has cancelled the export. */
class Dropped extends Error {}

/** Makes an export for its requester, with their present rights, and notifies them. Safe to run again: it begins anew. */
export function exportTask(services: Db['services']): Task<{ id: number }> {
  const { databases, fileStore, product } = services;
  const open = (id: number) => and(eq(e.id, id), isNull(e.ended_at));

  async function make(job: ExportJob, now: Date): Promise<void> {
    const mounted = product
      .servers()
      .flatMap(({ calls }) => calls)
      .find(({ call }) => call.exports && call.method === 'GET' && call.path === job.path);
    if (!mounted) throw absent('要导出的列表');
    const user = await services.identity.ofPerson(job.user_id);
    if (!user || !mayExport(user, mounted)) throw forbidden(`导出${job.title}`);
    const rowsOf = reading(mounted, job, { user, now });
    const written = (rows: number) =>
      databases.write(async (tx) => {
        const set = { state: 'running', written: Math.min(rows, job.rows) } as const;
        if ((await tx.update(e).set(set).where(open(job.id)).returning({ id: e.id })).length === 0) throw new Dropped();
        changed(tx, 'export', [job.user_id]);
      });
    const columns = columnsOf(mounted, job);
    // The file itself only shows that it broke off.
    let broken: unknown;
    const sheet = await openSheet(
      databases,
      { title: job.title, columns },
      () => undefined,
      async (tx, page, size) => {
        try {
          await written((page - 1) * size);
          return await rowsOf(tx, page, size);
        } catch (error) {
          broken = error;
          throw error;
        }
      },
      longest,
    );
    const made = await keepMadeStream(fileStore, sheet.bytes, sheetKind).catch((error: unknown) => {
      throw broken ?? error;
    });
    await databases.write(async (tx) => {
      const [still] = await tx.select({ id: e.id }).from(e).where(open(job.id)).for('update');
      if (!still) return;
      const name = `${job.title} ${dayOf(now)}`;
      const file_id = await giveMade(tx, made, { name, module: 'exports', recordId: job.id, by: job.user_id });
      const set = { state: 'done', file_id, rows: sheet.rows, written: sheet.rows, ended_at: sql`now()` } as const;
      await tx.update(e).set(set).where(eq(e.id, job.id));
      const title = `“${job.title}”已导出，共 ${sheet.rows} 行`;
      const said = { title, content: `请在 ${keptDays} 天内下载，到期自动删除。`, by: null };
      await announce(tx, exportNews.EXPORT, job, said, [job.user_id]);
    });
  }

  return {
    name: making,
    title: '生成导出表格',
    async run({ id }, { attempt, now }) {
      const [job] = await databases.fresh.select().from(e).where(open(id));
      if (!job) return;
      await make(job, now).catch(async (error: unknown) => {
        if (error instanceof Dropped) return;
        const refused = error instanceof Refusal;
        if (!refused && attempt < tries) throw error;
        await databases.write(async (tx) => {
          const why = refused ? error.message : '生成时出错，请重新导出；反复出现时请联系管理员';
          const set = { state: 'failed', answer: why.slice(0, 300), ended_at: sql`now()` } as const;
          const failed = await tx.update(e).set(set).where(open(id)).returning({ id: e.id });
          const said = { title: `“${job.title}”未能导出`, content: why, by: null };
          if (failed.length > 0) await announce(tx, exportNews.EXPORT, job, said, [job.user_id]);
        });
        if (!refused) throw error;
      });
    },
  };
}

export const exportNews = newsKinds({
  module: 'exports',
  type: newsType.system,
  group: '系统',
  page: () => '/exports',
  topic: 'export',
  kinds: { EXPORT: { name: '我的导出已完成、未完成', head: '导出', ways: [], again: 'never' } },
});

/** Checks the same as for an export within a request. */
function mayExport(user: Viewer, { call: { access, exports } }: Mounted): boolean {
  return mayCall(user, { access }) && exports !== undefined && holds(user, 'daochu', exports.page);
}

function columnsOf({ call }: Mounted, { query }: ExportJob) {
  const { columns } = call.exports!;
  return typeof columns === 'function' ? columns(parsed(call.query, query) as Record<string, unknown>) : columns;
}

/** Pages of the list, as the requester would read them now. */
function reading(
  { call, handler }: Mounted,
  { params, query }: ExportJob,
  context: Pick<Context, 'now'> & { user: Viewer },
) {
  if (isStaged(handler)) throw new Error(`${call.path} is no plain list`);
  const asked = { params: parsed(call.params, params), query: parsed(call.query, query) as Record<string, unknown> };
  return async (tx: Db, page: number, per_page: number): Promise<unknown> => {
    const input = { ...asked, query: { ...asked.query, page, per_page }, prepared: undefined };
    const answer = await answerOf(handler, input, withoutRequest(tx, context.user, context.now, making));
    return z.core.parse(call.reply as z.core.$ZodType, answer);
  };
}

const portion = 100;

/** Removes one portion of expired exports with their files; returns true if more may wait. */
export async function purgeExports(tx: Db): Promise<boolean> {
  const old = tx
    .select({ id: e.id })
    .from(e)
    .where(lt(e.ended_at, sql`now() - make_interval(days => ${keptDays})`))
    .limit(portion)
    .for('update', { skipLocked: true });
  return (await removeExports(tx, inArray(e.id, old))) === portion;
}

/** Removes rows and their files; returns how many there were. */
export async function removeExports(tx: Db, which: ReturnType<typeof and>): Promise<number> {
  const rows = await tx.delete(e).where(which).returning({ id: e.id, fileId: e.file_id });
  for (const { id, fileId } of rows) if (fileId !== null) await detach(tx, { fileId, module: 'exports', recordId: id });
  return rows.length;
}
