import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Waits } from '#modules/platform/waits/service.ts';
import { photoState } from './contract/codes.ts';
import { reaches } from './gallery/visible.ts';

/** Photos that wait for a reviewer. */
export const photoWaits: Waits = {
  key: 'photo',
  page: 'photo/manage',
  path: '/photo/manage',
  title: '待审照片',
  mine: async (_tx, viewer) => sql`
    select photo.id, photo.title, null::timestamptz, photo.id::text, photo.gmt_created, photo.uploader_id from photo
    where photo.state = ${inSql(photoState.pending)} and photo.deleted_at is null and photo.uploader_id <> ${viewer.id} and ${reaches(viewer, 'chuli')}`,
  // Photos have no due day for the digest.
  everybodys: async () => sql`select null::int, null::timestamptz where false`,
  // Album managers have no management page.
  linkOf: ({ about }) => `/photo/detail/${about}`,
};
