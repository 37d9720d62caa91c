import { levelOf, wordsOf, type Block, type Paragraph, type Run } from './blocks.ts';
import type { Item } from './flow.ts';
import { inkOf } from './ink.ts';
import { breakLines, type Line } from './lines.ts';
import { core, em, pitch, size3, tightness, type Face, type Measure } from './measures.ts';
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

/** A heading is set in the face of its level: the whole paragraph, or its first sentence where text follows. */
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

function paragraphItems(paragraph: Paragraph, measure: Measure): Item[] {
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

/** 正文, line by line. */
export function bodyItems(blocks: readonly Block[], measure: Measure): Item[] {
  return blocks.flatMap((block) =>
    block.kind === 'table' ? tableItems(block, measure) : paragraphItems(block, measure),
  );
}
