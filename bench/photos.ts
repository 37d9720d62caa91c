import type pg from 'pg';
import sharp from 'sharp';
import { timedInTurns } from './calls.ts';
import { asOperator } from './contracts.ts';
import { ratio, shown, type Table } from './report.ts';
import type { Stage } from './stage.ts';

const viewer = 'sun.jiahui';
const mark = '相册测量';
const [wallMs, takingMs, mostRatio] = [60, 350, 1.3];

/** So many photos in four albums, all of them shown. */
const fill = (photos: number) => async (client: pg.Client) => {
  await client.query(`insert into photo_category (name) select '${mark} ' || n from generate_series(1, 4) n`);
  await client.query(`insert into file_content (sha256, size) values (repeat('e', 64), 1) on conflict do nothing`);
  await client.query(`
    insert into file (name, ext, mime, size, sha256, uploader_id, module, owner_module, owner_id)
    select '${mark}.jpg', 'jpg', 'image/jpeg', 1, repeat('e', 64), (select id from app_user where username = '${viewer}'), 'photos', 'photos', '-' || n
    from generate_series(1, ${photos}) n`);
  await client.query(`
    insert into photo (category_id, file_id, title, photographer, uploader_id, shot_at, width, height, size, placeholder, source_sha256, phash, state)
    select a.ids[1 + f.id % 4], f.id, '${mark} ' || f.id, '测量', u.ids[1 + f.id % cardinality(u.ids)],
      date_trunc('second', now()) - f.id * interval '7 minutes', 4000, 3000, 1, 'HBkSHYSIeHiPiHh8eJd4eTN0EEQG', lpad(f.id::text, 64, '0'),
      f.id::bigint * 7919, 1
    from file f, (select array_agg(id) ids from photo_category where name like '${mark}%') a, (select array_agg(id) ids from app_user) u
    where f.name = '${mark}.jpg'`);
  for (const table of ['photo', 'file']) await client.query(`vacuum analyze ${table}`);
};

async function clear(client: pg.Client): Promise<void> {
  const mine = `select id from photo_category where name like '${mark}%'`;
  await client.query(`delete from photo where category_id in (${mine})`);
  await client.query(
    `delete from file where name = '${mark}.jpg' or (name like '%.jpg' and owner_module is null and module = 'photos')`,
  );
  await client.query(`delete from photo_category where name like '${mark}%'`);
}

/** A picture of twelve megapixels like a camera's. */
async function camera(seed: number): Promise<Blob> {
  const small = await sharp({
    create: {
      width: 400,
      height: 300,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 100 + seed, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  const bytes = await sharp(small).resize(4000, 3000, { kernel: 'cubic' }).jpeg({ quality: 90 }).toBuffer();
  return new Blob([new Uint8Array(bytes)]);
}

/** Measures the wall of many photos, and how uploads slow down the lists of others. */
export async function measurePhotos(stage: Stage, times: number, photos: number): Promise<Table> {
  await asOperator(stage, fill(photos));
  const token = await stage.signIn(viewer);
  const wall = '/api/photo/list/?per_page=60';
  const first = (await (await fetch(stage.url + wall, { headers: { authorization: `JWT ${token}` } })).json()) as {
    data: { next: string };
  };
  const list = '/api/tickets/?category=duty&per_page=20';
  const asked: [string, string][] = [
    ['图库第一屏 60 张', wall],
    ['接着的一屏', `${wall}&cursor=${encodeURIComponent(first.data.next)}`],
    ['我的照片', '/api/photo/?mine=true&per_page=20'],
    ['相册', '/api/photo/category/'],
  ];
  const [tickets, ...found] = await timedInTurns(stage, [list, ...asked.map(([, path]) => path)], token, times);
  const rows: Table['rows'] = asked.map(([name], at) => [
    name,
    shown(found[at]!.p50),
    shown(found[at]!.p95),
    ratio(found[at]!.p50, tickets!.p50),
  ]);

  const pictures = await Promise.all(Array.from({ length: 8 }, (_one, n) => camera(n)));
  const took: number[] = [];
  const uploader = await stage.signIn('qin.haoyu');
  const taking = async () => {
    for (const one of pictures) {
      const form = new FormData();
      form.set('module', 'photos');
      form.set('file', one, 'IMG.jpg');
      const from = performance.now();
      const answer = await fetch(`${stage.url}/api/file/upload/`, {
        method: 'POST',
        body: form,
        headers: { authorization: `JWT ${uploader}` },
      });
      const { code, msg } = (await answer.json()) as { code: number; msg: string };
      if (code !== 0) throw new Error(msg);
      took.push(performance.now() - from);
    }
  };
  const [[meanwhile]] = await Promise.all([timedInTurns(stage, [list], token, times * 2), taking()]);
  took.sort((a, b) => a - b);
  rows.push(
    ['接收 1200 万像素 JPEG，四种尺寸', shown(took[Math.floor(took.length / 2)]!), shown(took.at(-1)!), '—'],
    ['接收时的工单列表', shown(meanwhile!.p50), shown(meanwhile!.p95), ratio(meanwhile!.p95, tickets!.p95)],
  );
  await asOperator(stage, clear);
  return {
    name: 'photos',
    title: '相册',
    about: `${shown(photos)} 张照片，一个连接逐次轮流请求；同一人的工单列表 p50 ${shown(tickets!.p50)} ms，p95 ${shown(tickets!.p95)} ms。目标：图库一屏 p95 不超过 ${wallMs} ms，接收一张不超过 ${takingMs} ms，接收时列表 p95 不慢于 ${mostRatio} 倍。`,
    columns: ['调用', 'p50 ms', 'p95 ms', '与工单列表之比'],
    rows,
  };
}
