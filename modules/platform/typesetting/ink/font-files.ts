import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '#kernel/server/process/config.ts';
import type { FontFiles } from './faces.ts';
import { openFont } from './open.ts';

type Use = Exclude<keyof FontFiles, 'rare'>;
/** Usual names of the font files for official documents, without extension. */
const known: Record<Use, { title: string; names: readonly string[] }> = {
  text: { title: '仿宋', names: ['仿宋_gb2312', '仿宋', 'fangsong_gb2312', 'fangsong', 'simfang'] },
  title: {
    title: '小标宋',
    names: ['方正小标宋简体', '方正小标宋_gbk', '小标宋', 'fzxbsjw', 'fzxbsk', 'xiaobiaosong'],
  },
  bold: { title: '黑体', names: ['黑体', 'simhei', 'heiti'] },
  kai: { title: '楷体', names: ['楷体_gb2312', '楷体', 'kaiti_gb2312', 'kaiti', 'simkai'] },
};
/** Usual names of fonts with many characters; the operator names any other 生僻字. */
const rare = ['生僻字', 'simsunextg', 'simsun-extg', 'simsun-extb', 'jigmo', 'babelstonehan', 'plangothic', 'hanamin'];
const uses = Object.keys(known) as Use[];
const wanted = uses.map((use) => `${known[use].title}（如 ${known[use].names.at(-1)}.ttf）`).join('、');

/** The fonts of a folder for documents, opened once as a check. Throws `StartupError` in Chinese. */
export function findFonts(folder: string): FontFiles {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    throw new StartupError(`字体目录（FONT_DIR）“${folder}”无法读取，请检查路径和权限，或取消这项设置后再启动。`);
  }
  const found: FontFiles = {};
  for (const use of uses) {
    const file = names.find((name) =>
      known[use].names.some((one) => [`${one}.ttf`, `${one}.otf`].includes(name.toLowerCase())),
    );
    if (file) found[use] = join(folder, file);
  }
  const others = names.filter(
    (file) => /\.(?:ttf|otf)$/i.test(file) && rare.some((one) => file.toLowerCase().startsWith(one)),
  );
  if (others.length > 0) found.rare = others.toSorted().map((file) => join(folder, file));
  if (Object.keys(found).length === 0)
    throw new StartupError(
      `字体目录（FONT_DIR）“${folder}”里没有公文字体，请放入：${wanted}，或名称以“生僻字”开头的字体。`,
    );
  for (const file of Object.values(found).flat()) {
    try {
      openFont(file);
    } catch {
      throw new StartupError(`字体文件“${file}”无法使用，请换成单个字体的 ttf 或 otf 文件。`);
    }
  }
  return found;
}

/** The fonts in use, as a sentence for the operator. */
export function fontsSaid(files: FontFiles): string {
  const said = (of: readonly Use[]) => of.map((use) => known[use].title).join('、');
  const missing = uses.filter((use) => !files[use]);
  const there = uses.filter((use) => files[use]);
  const own = '思源宋体';
  const besides = files.rare ? `；生僻字另用 ${files.rare.length} 个字体` : '';
  if (there.length === 0) return `公文用随附的${own}排版；设置 FONT_DIR 后可用${said(uses)}${besides}`;
  return missing.length === 0
    ? `公文字体齐全：${said(there)}${besides}`
    : `公文字体有${said(there)}，缺少${said(missing)}，以${own}代替${besides}`;
}
