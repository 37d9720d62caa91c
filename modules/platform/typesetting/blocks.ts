import { readHtml } from '#kernel/server/text/rich-text.ts';
import type { SetPicture } from './pictures.ts';

export type Align = 'left' | 'center' | 'right' | 'justify';
export interface Run {
  text: string;
  strong: boolean;
  slanted: boolean;
  underlined: boolean;
}
export interface Paragraph {
  kind: 'paragraph';
  /** 1 to 4 for a heading of that level, 0 for text. */
  level: number;
  align: Align;
  indented: boolean;
  runs: Run[];
}
export interface Cell {
  columns: number;
  rows: number;
  head: boolean;
  content: Paragraph[];
}
export interface Table {
  kind: 'table';
  rows: Cell[][];
}
export interface PictureBlock {
  kind: 'picture';
  picture: SetPicture;
}
export type Block = Paragraph | Table | PictureBlock;

const mostSpan = 20;
const span = (value: string | undefined) => Math.min(mostSpan, Math.max(1, Number.parseInt(value ?? '1', 10) || 1));
const styleOf = (style = '') => ({
  align: (/text-align:\s*(\w+)/.exec(style)?.[1] ?? 'justify') as Align,
  indented: !/text-indent:\s*0/.test(style),
});
const newRun = (): Run => ({ text: '', strong: false, slanted: false, underlined: false });

/** Splits formatted text into paragraphs and tables. */
export function blocksOf(html: string): Block[] {
  const blocks: Block[] = [];
  const marks = { strong: 0, em: 0, u: 0 };
  const lists: { ordered: boolean; next: number }[] = [];
  let table: Table | null = null;
  let cell: Cell | null = null;
  let paragraph: Paragraph | null = null;

  const begin = (level: number, style?: string): Paragraph => {
    const { align, indented } = styleOf(style);
    const made: Paragraph = {
      kind: 'paragraph',
      level,
      align: cell && !style?.includes('text-align') ? 'left' : align,
      indented: indented && !cell && align !== 'center' && align !== 'right',
      runs: [],
    };
    paragraph = made;
    return made;
  };
  const end = () => {
    if (paragraph && (cell || paragraph.runs.some((run) => run.text.trim() !== '')))
      (cell?.content ?? blocks).push(paragraph);
    paragraph = null;
  };
  const add = (text: string) => {
    const run = { ...newRun(), text, strong: marks.strong > 0, slanted: marks.em > 0, underlined: marks.u > 0 };
    (paragraph ?? begin(0)).runs.push(run);
  };

  readHtml(html, {
    open(tag, attributes) {
      const style = attributes['style'];
      if (tag === 'strong' || tag === 'em' || tag === 'u') marks[tag] += 1;
      else if (/^h[2-5]$/.test(tag)) {
        end();
        begin(Number(tag[1]) - 1, style);
      } else if (tag === 'p') {
        // The first paragraph of an item continues after its number.
        if (!(paragraph && lists.length > 0)) {
          end();
          begin(0, style);
        }
      } else if (tag === 'ul' || tag === 'ol') {
        end();
        lists.push({ ordered: tag === 'ol', next: Number(attributes['start'] ?? 1) || 1 });
      } else if (tag === 'li') {
        end();
        const list = lists.at(-1);
        begin(0);
        add(list?.ordered ? `${list.next++}. ` : '· ');
      } else if (tag === 'br') {
        if (cell || paragraph) end();
      } else if (tag === 'table') {
        end();
        table = { kind: 'table', rows: [] };
      } else if (tag === 'tr') table?.rows.push([]);
      else if (tag === 'td' || tag === 'th') {
        const made = { columns: span(attributes['colspan']), rows: span(attributes['rowspan']), head: tag === 'th' };
        cell = { ...made, content: [] };
        table?.rows.at(-1)?.push(cell);
      }
    },
    text(text) {
      const words = text.replace(/[\t\r\n]+/g, ' ');
      if (paragraph || words.trim() !== '') add(words);
    },
    close(tag) {
      if (tag === 'strong' || tag === 'em' || tag === 'u') marks[tag] -= 1;
      else if (tag === 'p' || tag === 'li' || /^h[2-5]$/.test(tag)) end();
      else if (tag === 'ul' || tag === 'ol') {
        end();
        lists.pop();
      } else if (tag === 'td' || tag === 'th') {
        end();
        cell = null;
      } else if (tag === 'table') {
        if (table && table.rows.some((row) => row.length > 0)) blocks.push(table);
        table = null;
      }
    },
  });
  end();
  return blocks;
}

export const wordsOf = ({ runs }: Paragraph) => runs.map((run) => run.text).join('');

const levels = [/^[一二三四五六七八九十百]+、/, /^（[一二三四五六七八九十百]+）/, /^\d+[.．](?!\d)/, /^（\d+）/];
/** The level given by a paragraph's own number: 1 for 一、, 2 for （一）, 3 for 1., 4 for （1）; 0 for none. */
export const levelOf = (text: string): number => levels.findIndex((pattern) => pattern.test(text.trimStart())) + 1;
