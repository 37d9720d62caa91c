import { levelOf, wordsOf, type Block, type Paragraph, type PictureBlock, type Run } from './blocks.ts';
import type { Item } from './page/flow.ts';
import { inkOf } from './ink/ink.ts';
import { breakLines, type Line } from './page/lines.ts';
import { core, em, pitch, size3, tightness, type Face, type Measure } from './ink/measures.ts';
import { tableItems } from './table.ts';

const style = { face: 'text', size: size3, spacing: tightness } as const;
const facesOfLevels: readonly Face[] = ['text', 'bold', 'kai', 'text', 'text'];
const longestHeading = 40;

/** One item for each line, on the grid. */
export function lineItems(lines: readonly Line[], xOf: (line: Line, index: number) => number): Item[] {
  return lines.map((line, index) => ({
    height: pitch,
    onGrid: true,
    draw: (top) => inkOf(line, { x: xOf(line, index), top: top + (pitch - size3) / 2, ...style }),
  }));
}

/** A heading is set in the face of its level: the whole paragraph, or only its first sentence if text follows. */
function faced(paragraph: Paragraph): (Run & { face: Face })[] {
  const text = wordsOf(paragraph);
  const level = paragraph.level || levelOf(text);
  const face = facesOfLevels[level] ?? 'text';
  const sentence = text.indexOf('。') + 1;
  const alone = paragraph.level > 0 || sentence === 0 || sentence === text.length;
  const upTo = alone ? (text.length <= longestHeading || paragraph.level > 0 ? text.length : 0) : sentence;
  let passed = 0;
  return paragraph.runs.flatMap((run) => {
    const cut = Math.min(run.text.length, Math.max(0, upTo - passed));
    passed += run.text.length;
    const rest = run.strong ? 'bold' : 'text';
    return [
      { ...run, text: run.text.slice(0, cut), face: face === 'text' ? rest : face },
      { ...run, text: run.text.slice(cut), face: rest },
    ].filter((part): part is Run & { face: Face } => part.text !== '');
  });
}

/** Typed blanks at the beginning are removed, because the paragraph is indented anyway. */
function withoutTypedIndent(paragraph: Paragraph): Paragraph {
  if (!paragraph.indented) return paragraph;
  const from = paragraph.runs.findIndex(({ text }) => text.trim() !== '');
  const runs = paragraph.runs
    .slice(Math.max(0, from))
    .map((run, at) => (at > 0 ? run : { ...run, text: run.text.trimStart() }));
  return { ...paragraph, runs };
}

function paragraphItems(written: Paragraph, measure: Measure): Item[] {
  const paragraph = withoutTypedIndent(written);
  const { align } = paragraph;
  const indent = paragraph.indented ? 2 * em : 0;
  const runs = faced(paragraph);
  const lines = breakLines(runs, style, measure, {
    width: core.width,
    indent,
    justified: align === 'justify' || align === 'left',
  });
  const items = lineItems(lines, (line, index) => {
    if (align === 'center') return core.left + (core.width - line.width) / 2;
    if (align === 'right') return core.right - line.width;
    return core.left + (index === 0 ? indent : 0);
  });
  const heading = paragraph.level > 0 || (levelOf(wordsOf(paragraph)) > 0 && items.length === 1);
  return heading ? items.map((item) => ({ ...item, held: true })) : items;
}

/** In its size at 96 dots per inch, if there is space; centred on whole lines. */
function pictureItem({ picture }: PictureBlock): Item {
  const natural = { width: picture.width * 0.75, height: picture.height * 0.75 };
  const fit = Math.min(1, core.width / natural.width, (core.height - 4 * pitch) / natural.height);
  const [width, height] = [natural.width * fit, natural.height * fit];
  const room = Math.ceil(height / pitch) * pitch;
  return {
    height: room,
    onGrid: true,
    draw: (top) => [
      {
        kind: 'picture',
        x: core.left + (core.width - width) / 2,
        y: top + (room - height) / 2,
        width,
        height,
        bytes: picture.bytes,
      },
    ],
  };
}

/** 正文, line by line. */
export function bodyItems(blocks: readonly Block[], measure: Measure): Item[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'table') return tableItems(block, measure);
    return block.kind === 'picture' ? [pictureItem(block)] : paragraphItems(block, measure);
  });
}
