import { openSchool } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { files } from '#modules/platform/files/contract.ts';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { albums } from '../contract/albums.ts';
import { photos } from '../contract/photos.ts';
import { reviews } from '../contract/reviews.ts';
import { jpegOf } from './scene.ts';

export interface Uploaded {
  code: number;
  msg: string;
  data: ReplyOf<typeof files.upload> & { id: number };
}
export async function upload(client: Client, bytes: Buffer, name = '照片.jpg'): Promise<Uploaded> {
  const form = new FormData();
  form.set('module', 'photos');
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  const response = await client.fetch('/api/file/upload/', { method: 'POST', body: form });
  return (await response.json()) as Uploaded;
}

/** A school with an album, two reviewers, and photos to upload. */
export async function openPhotos(options: Parameters<typeof openSchool>[0] = {}) {
  const school = await openSchool(options);
  const { office, hire } = school;
  const reviewer = await hire('宣传员', { roles: ['photo_admin'] });
  const second = await hire('宣传长', { roles: ['photo_admin'] });
  let serial = 0;
  const album = async (more: object = {}) => {
    const name = `相册${(serial += 1)}`;
    const { id } = await reviewer.get(albums.add, { body: { name, ...more } });
    return id!;
  };
  /** Uploads and submits one photo; `bytes` defaults to a scene of its own. */
  const send = async (
    client: Client,
    category_id: number,
    { bytes, name, ...more }: Record<string, unknown> & { bytes?: Buffer; name?: string } = {},
  ) => {
    const { data } = await upload(client, bytes ?? (await jpegOf((serial += 1) + 1000)), name);
    const body = { file_id: data.id, category_id, title: `照片${(serial += 1)}`, photographer: '王摄影', ...more };
    return (await client.get(photos.create, { body })) as { id: number; state: number; alike_id: number | null };
  };
  const review = (client: Client, ids: number[], act: 'approve' | 'return' | 'down' | 'undo', more: object = {}) =>
    client.get(reviews.review, { body: { ids, act, ...more } });
  /** Makes a photo that is shown in the gallery. */
  const shown = async (client: Client, category_id: number, more: Parameters<typeof send>[2] = {}) => {
    const { id } = await send(client, category_id, more);
    await review(reviewer, [id], 'approve');
    return id;
  };
  const detail = async (client: Client, id: number) => (await client.get(photos.detail, { params: { id } })).value;
  const wall = (client: Client, query: object = {}) => client.get(photos.wall, { query: { per_page: 60, ...query } });
  return { ...school, office, reviewer, second, album, send, shown, review, detail, wall };
}
export type House = Awaited<ReturnType<typeof openPhotos>>;
