import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { detachAll } from '#modules/platform/files/service.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { notifyPeople } from '#modules/platform/messages/service.ts';
import { holdersOfCode, workingAmong } from '#modules/platform/people/service.ts';
import { photoState, trashDays } from '../contract/codes.ts';

const about = { module: 'photos', type: newsType.photo } as const;
/** So long after the last one of a batch its news is told, all of it together; what was undone by then nobody hears of. */
const quiet = sql`interval '3 minutes'`;

interface Told extends Record<string, unknown> {
  uploader_id: number;
  alias: string;
  ids: number[];
  managers: number[];
  adopted: number;
  returned: number;
  down: number;
}

/** Tells reviewers what came, or uploaders what became of it: one message for each uploader whose batch is done. */
async function tellOf(tx: Db, news: 1 | 2, tell: (row: Told) => Promise<unknown>): Promise<void> {
  const { rows } = await tx.execute<Told>(sql`
    with mine as (select * from photo where news = ${news} and deleted_at is null for update skip locked)
    select m.uploader_id, u.alias, array_agg(m.id) ids,
      (select coalesce(array_agg(distinct one), '{}') from photo_category c cross join lateral unnest(c.manager_ids) one
        where c.id = any(array_agg(m.category_id))) managers,
      (count(*) filter (where m.state = ${inSql(photoState.shown)}))::int adopted, (count(*) filter (where m.state = ${inSql(photoState.returned)}))::int returned,
      (count(*) filter (where m.state = ${inSql(photoState.down)}))::int down
    from mine m join app_user u on u.id = m.uploader_id group by m.uploader_id, u.alias
    having max(m.gmt_modified) < now() - ${quiet} or min(m.gmt_modified) < now() - interval '1 hour'`);
  for (const row of rows) {
    await tell(row);
    await tx.execute(sql`update photo set news = 0 where id = any(${sql.param(row.ids)}::int[])`);
  }
}

export async function tellPhotoNews(tx: Db): Promise<void> {
  const everywhere = new Set((await holdersOfCode(tx, 'chuli', 'photo/manage')).map((one) => one.id));
  await tellOf(tx, 1, async ({ uploader_id, alias, ids, managers }) => {
    const to = await workingAmong(
      tx,
      [...new Set([...everywhere, ...managers])].filter((one) => one !== uploader_id),
    );
    const said = { title: `${alias}提交了 ${ids.length} 张照片，等待审核`, content: '请到照片管理中审核。' };
    const at = { objectId: Math.max(...ids), event: 'PHOTO_PENDING', once: true };
    const [reviewers, keepers] = [to.filter((one) => everywhere.has(one)), to.filter((one) => !everywhere.has(one))];
    await notifyPeople(
      tx,
      { ...about, ...said, ...at, webPath: `/photo/manage?state=${photoState.pending}&uploader=${uploader_id}` },
      reviewers,
    );
    // Whoever looks after an album alone has no page of management: the first leads on to the others.
    const alone = { content: '请审核；其余的见首页待办。', webPath: `/photo/detail/${Math.min(...ids)}` };
    await notifyPeople(tx, { ...about, ...said, ...at, ...alone }, keepers);
  });
  await tellOf(tx, 2, async ({ uploader_id, ids, adopted, returned, down }) => {
    const parts = [
      [adopted, '采用'],
      [returned, '退回'],
      [down, '下架'],
    ] as const;
    const words = parts.flatMap(([count, what]) => (count > 0 ? [`${count} 张${what}`] : [])).join('，');
    const only = [adopted, down, returned].filter((count) => count > 0).length === 1;
    const tab = only ? `?state=${adopted ? 1 : down ? 2 : 3}` : '';
    const said = {
      title: `照片审核结果：${words}`,
      content: returned > 0 ? '退回的照片可按原因修改后重新提交。' : '详情见我的照片。',
    };
    const at = { objectId: Math.max(...ids), event: 'PHOTO_RESULT', occasion: words, webPath: `/photo/mine${tab}` };
    await notifyPeople(tx, { ...about, ...said, ...at }, [uploader_id]);
  });
}

/** Photos that have been in the trash long enough are gone with their files; true when more may wait. */
export async function emptyTrash(tx: Db): Promise<boolean> {
  const { rows } = await tx.execute<{ id: number; file_id: number }>(sql`
    select id, file_id from photo where deleted_at < now() - make_interval(days => ${trashDays}) limit 50 for update skip locked`);
  for (const { id, file_id } of rows) {
    await tx.execute(sql`delete from photo where id = ${id}`);
    await detachAll(tx, { fileIds: [file_id], module: 'photos', recordId: id });
  }
  return rows.length > 0;
}

const telling = 'tell of photos';
const emptying = 'empty trash of photos';
export const photoTasks = ({ databases }: { databases: Pick<Databases, 'write'> }): Task[] => [
  { name: telling, title: '照片待审和审核结果', run: () => databases.write(tellPhotoNews) },
  {
    name: emptying,
    title: '清空照片回收站',
    async run() {
      while (await databases.write(emptyTrash));
    },
  },
];
export const photoSchedules: Schedule[] = [
  { task: telling, cron: '*/2 * * * *', catchUpHours: 12 },
  { task: emptying, cron: '50 3 * * *' },
];
