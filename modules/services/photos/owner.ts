import { sql } from 'drizzle-orm';
import { photoKinds } from '#kernel/contract/upload.ts';
import type { PictureRule } from '#kernel/server/files/photograph/picture.ts';
import type { OwnerRule } from '#modules/platform/files/service.ts';
import { longestFile } from './contract/codes.ts';
import { visibleTo } from './gallery/visible.ts';

export const pictureRule: PictureRule = {
  maxBytes: longestFile,
  maxPixels: 120_000_000,
  keep: 6000,
  quality: 92,
  sizes: { large: 2048, medium: 1024, thumb: 480 },
};

/** People who may see a photo see its picture; the original needs a request. */
export const photoFiles: OwnerRule = {
  kinds: photoKinds,
  imageSize: pictureRule.sizes.large,
  picture: pictureRule,
  async may(viewer, { recordId }, tx) {
    const { rows } = await tx.execute(
      sql`select from photo where photo.id = ${Number(recordId)} and ${visibleTo(viewer)}`,
    );
    return rows.length > 0;
  },
};
