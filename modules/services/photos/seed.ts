import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
import { albumTable } from './tables.ts';

const page = (
  key: string,
  title: string,
  path: string,
  icon: string,
  order: number,
  codes: MenuSeed['codes'],
): MenuSeed => ({
  key: `photo/${key}`,
  parent: 'photo',
  title,
  path,
  icon,
  order,
  codes: codes ?? [],
});

export const menus: MenuSeed[] = [
  { key: 'photo', title: '相册', path: '/photo', icon: 'PictureOutlined', order: 700, heading: true },
  page('list', '图库', 'list', 'PictureOutlined', 710, ['Retrieve']),
  page('mine', '我的照片', 'mine', 'CameraOutlined', 720, ['Create', 'Retrieve', 'Update', 'Delete']),
  page('manage', '照片管理', 'manage', 'CheckCircleOutlined', 730, ['Retrieve', 'Update', 'Delete', 'chuli', 'daochu']),
  page('category', '相册分类', 'category', 'TagsOutlined', 740, ['Create', 'Retrieve', 'Update', 'Delete']),
  page('statistics', '相册统计', 'statistics', 'BarChartOutlined', 750, ['Retrieve', 'daochu']),
  { ...page('detail', '照片详情', 'detail/:id', '', 760, ['Retrieve']), visible: false },
];

/** The initial albums, unless there are any. Idempotent. */
export async function seedAlbums(tx: Db): Promise<void> {
  const [any] = await tx
    .select({ one: sql`1` })
    .from(albumTable)
    .limit(1);
  if (any) return;
  const names = ['活动', '会议', '校园风光', '人物'];
  await tx.insert(albumTable).values(names.map((name, at) => ({ name, order_id: (at + 1) * 10 })));
}
