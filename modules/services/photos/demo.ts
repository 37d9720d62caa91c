import { Readable } from 'node:stream';
import { isNull, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { dayMs } from '#kernel/contract/moment.ts';
import { chanceOf } from '#kernel/server/process/chance.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { withoutRequest } from '#kernel/server/http/implement.ts';
import { admitted, aside, enter } from '#modules/platform/files/service.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import { demoViewers } from '#modules/platform/people/demo.ts';
import { longestFile } from './contract/codes.ts';
import { photos } from './contract/photos.ts';
import { detail, type Work } from './gallery/reading.ts';
import { askOriginal, decideOriginal } from './originals.ts';
import { photoFiles } from './owner.ts';
import { review } from './review/review.ts';
import { setSlot } from './review/slots.ts';
import { like, remove, withdrawConsent } from './taking/change.ts';
import { create } from './taking/create.ts';
import { albumTable } from './tables.ts';

const authors = ['sun.jiahui', 'bai.xue', 'qin.haoyu'];
const keeper = 'hou.zhenyu';
const scenes = ['晨光', '图书馆', '银杏道', '操场', '报告厅', '毕业季', '雪后', '湖畔'];
const shelves = ['春夏', '秋冬'];
const [burst, copied, count] = [[30, 31, 32], 20, 48];

/** A generated picture: hills under a sky, no two alike. */
function drawn(chance: () => number, tall: boolean) {
  const [width, height] = tall ? [600, 900] : [900, 600];
  const hue = Math.floor(chance() * 360);
  const hill = (n: number) => {
    const top = () => height * (0.35 + n * 0.15 + chance() * 0.25);
    const tops = Array.from({ length: 7 }, (_one, at) => `${(width / 6) * at},${top()}`);
    return `<polygon points="0,${height} ${tops.join(' ')} ${width},${height}" fill="hsl(${hue + n * 25} 45% ${55 - n * 12}%)"/>`;
  };
  const sky = `<rect width="100%" height="100%" fill="hsl(${hue + 180} 55% 80%)"/>`;
  const sun = `<circle cx="${chance() * width}" cy="${chance() * height * 0.4}" r="${50 + chance() * 60}" fill="#ffe9a8"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${sky}${sun}${[0, 1, 2].map(hill).join('')}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 85 });
}

/**
 * A year of photos in two levels of albums, in every state: pinned, a duplicate, a burst, one with withdrawn consent; made by the school's
 * people.
 */
export async function addDemoPhotos(tx: Db, now: Date): Promise<void> {
  const { draw } = chanceOf(18);
  const { fileStore } = tx.services;
  const people = await peopleByName(tx, [...authors, keeper]);
  const person = demoViewers(tx);
  const works = new Map<string, Work>();
  for (const [name, { id }] of people) {
    const user = await person(id);
    const afterReading = (work: (write: Db) => Promise<void>) => work(tx);
    works.set(name, { ...withoutRequest(tx, user, now, 'demo'), afterReading });
  }
  const keeps = works.get(keeper)!;
  const roots = await tx.select().from(albumTable).where(isNull(albumTable.parent_id)).orderBy(albumTable.order_id);
  const scenery = roots.find((one) => one.name === '校园风光')!;
  const below = shelves.map((name, at) => ({ name, parent_id: scenery.id, order_id: 10 * (at + 1) }));
  const albums = [...roots, ...(await tx.insert(albumTable).values(below).returning())].map((one) => one.id);

  const sent = async (
    context: Work,
    bytes: Buffer,
    said: { title: string; category_id: number; [more: string]: unknown },
  ) => {
    const name = `${said.title}.jpg`;
    const file = await aside(fileStore, Readable.from([bytes]), { most: longestFile, name }, (whole) =>
      admitted(fileStore, whole, { name, rule: photoFiles, by: 'house' }),
    );
    const file_id = await enter(tx, file, { module: 'photos', uploader_id: context.user.id });
    return create(context, photos.create.body!.parse({ photographer: context.user.alias, ...said, file_id }));
  };
  const frames = drawn(draw, false);
  let first: Buffer | undefined;
  for (let n = 0; n < count; n += 1) {
    const context = works.get(authors[burst.includes(n) ? 0 : n % authors.length]!)!;
    const at = new Date(now.getTime() - ((burst.includes(n) ? 30 : n) + 1) * 7.3 * dayMs).toISOString();
    const own = burst.includes(n)
      ? frames
          .clone()
          .modulate({ brightness: 1 + (n - 30) / 100 })
          .withExif({
            IFD0: { Make: '演示', Model: 'Camera' },
            IFD2: { DateTimeOriginal: at.slice(0, 10).replaceAll('-', ':').concat(' 10:00:00') },
          })
      : n === copied
        ? sharp(first).resize(700).jpeg({ quality: 60 })
        : drawn(draw, n % 5 === 0);
    const bytes = await own.toBuffer();
    first ??= bytes;
    const scene = scenes[n % scenes.length]!;
    const portrait = n % 12 === 6;
    const { id } = await sent(context, bytes, {
      title: `${scene} ${n + 1}`,
      category_id: albums[n === copied ? 0 : burst.includes(n) ? 1 : n % albums.length]!,
      tags: ['校园', scene],
      place: scene,
      description: n % 4 === 0 ? `${scene}，摄于日常走访` : '',
      ...(burst.includes(n) ? {} : { taken_at: `${at.slice(0, 10)} ${String(8 + (n % 10)).padStart(2, '0')}:20` }),
      ...(portrait ? { faces: true, consent: 2, people: ['高雅琴'] } : {}),
    });
    if (n < 4 || n === copied) continue;
    if (n === 47) {
      await remove(context, id);
      continue;
    }
    if (n % 15 === 9) {
      await review(keeps, id, { act: 'return', reason: '画面模糊' });
      continue;
    }
    await review(keeps, id, { act: 'approve', reason: '', score: 1 + (n % 3) });
    for (const name of authors.slice(0, n % 4)) {
      await detail({ params: { id }, query: {} }, works.get(name)!);
      if (n % 2 === 0) await like(works.get(name)!, id, true);
    }
    if (n % albums.length === 0) await setSlot(keeps, id, 'top', true);
    if (n % 16 === 5) await setSlot(keeps, id, 'com', true);
    if (n === 42) await withdrawConsent(keeps, id, '本人要求');
    if (n === 7 || n === 10) {
      const asked = await askOriginal(works.get('bai.xue')!, id, { purpose: '校报第 12 期用图', medium: '校报' });
      if (n === 7) await decideOriginal(keeps, asked.id, { agree: true, answer: '请署名' });
    }
  }
  // Moves uploads back to the time of taking, and sends no news of them.
  await tx.execute(sql`update photo set news = 0, gmt_created = shot_at + interval '2 hours',
    published_at = published_at - (gmt_created - shot_at - interval '1 day')`);
}
