import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { detachAll } from '#modules/platform/files/service.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { holdersOfCode } from '#modules/platform/people/service.ts';
import { photoState, trashDays } from '../contract/codes.ts';

export const photoNews = newsKinds({
  module: 'photos',
  type: newsType.photo,
  group: '相册',
  kinds: {
    PHOTO_PENDING: {
      name: '有照片待我审核',
      head: '照片待审核',
      again: 'never',
      page: (id) => `/photo/detail/${id}`,
    },
    PHOTO_RESULT: { name: '我的照片审核结果', head: '照片审核结果', page: () => '/photo/mine' },
    PHOTO_ORIGINAL: { name: '原图申请和决定', head: '原图申请', page: () => '/photo/manage?view=original' },
  },
});

/** News of a batch is sent together, this long after its last photo; decisions undone by then are not sent. */
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

/** Notifies reviewers of new photos, or uploaders of decisions: one message for each uploader whose batch is complete. */
async function eachBatch(tx: Db, news: 1 | 2, tell: (row: Told) => Promise<unknown>): Promise<void> {
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
  await eachBatch(tx, 1, async ({ uploader_id, alias, ids, managers }) => {
    const to = [...new Set([...everywhere, ...managers])];
    const id = Math.max(...ids);
    const said = {
      title: `${alias}提交了 ${ids.length} 张照片，等待审核`,
      content: '请到照片管理中审核。',
      page: `/photo/manage?state=${photoState.pending}&uploader=${uploader_id}`,
      by: uploader_id,
      sender: null,
    };
    const [reviewers, keepers] = [to.filter((one) => everywhere.has(one)), to.filter((one) => !everywhere.has(one))];
    await announce(tx, photoNews.PHOTO_PENDING, { id }, said, reviewers);
    // Album managers have no management page, so their link goes to the first photo, which leads to the others.
    const alone = { content: '请审核；其余的见首页待办。', page: `/photo/detail/${Math.min(...ids)}` };
    await announce(tx, photoNews.PHOTO_PENDING, { id }, { ...said, ...alone }, keepers);
  });
  await eachBatch(tx, 2, async ({ uploader_id, ids, adopted, returned, down }) => {
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
      occasion: words,
      page: `/photo/mine${tab}`,
      by: null,
    };
    await announce(tx, photoNews.PHOTO_RESULT, { id: Math.max(...ids) }, said, [uploader_id]);
  });
}

/** Deletes photos that were long enough in the trash, with their files; true if more may wait. */
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
