import { and, eq, sql } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { pageOf, type Page } from '#kernel/server/list/paging.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { ofOpenDocuments, seenDocument } from '#modules/office/documents/service.ts';
import { nudgesOf } from '#modules/platform/messages/service/nudges.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { receiptsOf } from '#modules/platform/people/service/receipts.ts';
import type { distributions } from '../contract.ts';
import { copyState } from '../contract/list.ts';
import type { Matrix, Reader } from '../contract/shapes.ts';
import { managedBy } from '../visibility.ts';
import { urgingOf } from '../giving/notify.ts';
import { seen } from '../rows.ts';
import { distTable, distUserTable } from '../tables.ts';

/** Reading progress of one distribution, or of all that stand of a document. */
export async function info(tx: Db, user: Viewer, asked: QueryOf<typeof distributions.info>): Promise<Matrix> {
  if (asked.dist_id) {
    const { managed } = await seen(tx, user, asked.dist_id);
    if (!managed) throw absent('阅读情况');
    return matrixOf(tx, [asked.dist_id], { named: asked.unread, viewer: user.id });
  }
  const { viewer } = await seenDocument(tx, user, asked.document_id!);
  const dists = await tx
    .select({ id: distTable.id })
    .from(distTable)
    .where(
      and(
        eq(distTable.document_id, asked.document_id!),
        sql`${distTable.recalled_at} is null`,
        managedBy(tx, viewer.tickets),
      ),
    );
  return matrixOf(
    tx,
    dists.map((dist) => dist.id),
    { named: asked.unread, viewer: user.id },
  );
}

/** Reading is required; a reply is optional. */
async function matrixOf(tx: Db, dists: readonly number[], shown: { named: boolean; viewer: number }): Promise<Matrix> {
  const ids = sql`${sql.param([...dists])}::int[]`;
  // Within one distribution everybody has exactly one copy.
  const people =
    dists.length === 1
      ? sql`select user_id, dept_id, read_time is not null, reply_time is not null, read_time is null
          from document_dist_user where dist_id = any(${ids})`
      : sql`select user_id, (array_agg(dept_id order by dist_id desc))[1], bool_or(read_time is not null),
          bool_or(reply_time is not null), not bool_or(read_time is not null)
          from document_dist_user where dist_id = any(${ids}) group by user_id`;
  return { dists: dists.length, ...(await receiptsOf(tx, people, shown)) };
}

/** A page of the recipients of a distribution, for those who manage it. */
export async function readers(
  tx: Db,
  distId: number,
  asked: QueryOf<typeof distributions.readers>,
): Promise<Page<Reader>> {
  const select = tx
    .select()
    .from(distUserTable)
    .where(
      and(
        eq(distUserTable.dist_id, distId),
        asked.state === undefined ? undefined : eq(distUserTable.state, asked.state),
        asked.dept ? eq(distUserTable.dept_id, asked.dept) : undefined,
        asked.export ? ofOpenDocuments(tx, distUserTable.document_id) : undefined,
      ),
    )
    .$dynamic();
  const page = await pageOf(tx, asked, select, {
    by: { state: distUserTable.state, read_time: distUserTable.read_time },
    first: 'state',
    tie: distUserTable.user_id,
  });
  const ids = page.value.map((row) => row.user_id);
  const people = await peopleById(tx, ids);
  const urged = await nudgesOf(tx, urgingOf(distId), ids);
  const depts = await deptNamesById(
    tx,
    page.value.flatMap((row) => row.dept_id ?? []),
  );
  const value = page.value.map((row): Reader => ({
    id: row.user_id,
    alias: people.get(row.user_id)?.alias ?? '',
    dept_name: depts.get(row.dept_id ?? 0) ?? '',
    source: row.source,
    state: row.state,
    state_name: copyState.label(row.state),
    read_time: row.read_time,
    client: clientOf(row.read_client),
    reply: row.reply,
    reply_time: row.reply_time,
    urged_count: urged.get(row.user_id)?.times ?? 0,
    last_urged_at: urged.get(row.user_id)?.last ?? null,
  }));
  return { ...page, value };
}

/** A short name of the client somebody read with. */
function clientOf(agent: string): string {
  if (agent === '') return '';
  if (agent.includes('MicroMessenger')) return '微信';
  return /Mobile|Android|iPhone|HarmonyOS/.test(agent) ? '手机' : '电脑';
}
