import { Readable } from 'node:stream';
import sharp from 'sharp';
import { chanceOf } from '#kernel/server/process/chance.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { admitted, aside, enter } from '#modules/files/service.ts';
import { peopleByName } from '#modules/people/service.ts';
import { personWithRights, viewerOf } from '#modules/people/service/rights.ts';
import { longestFile } from './contract/codes.ts';
import { photos } from './contract/photos.ts';
import type { Work } from './gallery/reading.ts';
import { photoFiles } from './owner.ts';
import { review } from './review/review.ts';
import { setSlot } from './review/slots.ts';
import { create } from './taking/create.ts';
import { albumTable } from './tables.ts';

const authors = ['sun.jiahui', 'bai.xue', 'qin.haoyu'];
const scenes = ['晨光', '图书馆', '银杏道', '球场', '报告厅', '毕业季', '雪后', '湖畔'];

/** Pictures that the product draws itself: hills under a sky, no two alike. */
function picture(chance: () => number, tall: boolean): Promise<Buffer> {
  const [width, height] = tall ? [800, 1200] : [1200, 800];
  const hue = Math.floor(chance() * 360);
  const hill = (n: number) => {
    const tops = Array.from(
      { length: 7 },
      (_one, at) => `${(width / 6) * at},${height * (0.35 + n * 0.15 + chance() * 0.25)}`,
    );
    return `<polygon points="0,${height} ${tops.join(' ')} ${width},${height}" fill="hsl(${hue + n * 25} 45% ${55 - n * 12}%)"/>`;
  };
  const sky = `<rect width="100%" height="100%" fill="hsl(${hue + 180} 55% 80%)"/>`;
  const sun = `<circle cx="${chance() * width}" cy="${chance() * height * 0.4}" r="${50 + chance() * 60}" fill="#ffe9a8"/>`;
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${sky}${sun}${[0, 1, 2].map(hill).join('')}</svg>`;
  return sharp(Buffer.from(drawn)).jpeg({ quality: 85 }).toBuffer();
}

/** A year of photos in the albums there are: shown, waiting and returned, some pinned, one twice. */
export async function addDemoPhotos(tx: Db, now: Date): Promise<void> {
  const { draw } = chanceOf(18);
  const { fileStore } = tx.services;
  const people = await peopleByName(tx, [...authors, 'admin']);
  const as = async (username: string): Promise<Work> => {
    const person = await personWithRights(tx, people.get(username)!.id);
    return { tx, user: viewerOf(person!, 0), now, services: tx.services, audit: () => undefined } as never;
  };
  const [contexts, admin] = [await Promise.all(authors.map(as)), await as('admin')];
  const albums = await tx.select().from(albumTable).orderBy(albumTable.id).limit(4);
  let twice: Buffer | undefined;
  for (let n = 0; n < 36; n += 1) {
    const context = contexts[n % contexts.length]!;
    const bytes =
      n === 20 ? await sharp(twice!).resize(700).jpeg({ quality: 60 }).toBuffer() : await picture(draw, n % 5 === 0);
    twice ??= bytes;
    const name = `${scenes[n % scenes.length]}.jpg`;
    const file = await aside(fileStore, Readable.from([bytes]), { most: longestFile, name }, (sent) =>
      admitted(fileStore, sent, { name, rule: photoFiles, by: 'house' }),
    );
    const file_id = await enter(tx, file, { module: 'photos', uploader_id: context.user.id });
    const day = new Date(now.getTime() - n * 9.3 * 86_400_000).toISOString().slice(0, 10);
    const said = {
      title: `${scenes[n % scenes.length]} ${n + 1}`,
      photographer: context.user.alias,
      tags: ['校园', scenes[n % 3]!],
      taken_at: `${day} 10:20`,
    };
    const category_id = albums[n === 20 ? 0 : n % albums.length]!.id;
    const { id } = await create(context, photos.create.body!.parse({ ...said, file_id, category_id }));
    if (n === 20 || n % 9 === 4) continue;
    await review(
      admin,
      id,
      n % 9 === 7 ? { act: 'return', reason: '画面模糊' } : { act: 'approve', reason: '', score: 1 + (n % 3) },
    );
    if (n < 4) await setSlot(admin, id, n % 2 ? 'com' : 'top', true);
  }
}
