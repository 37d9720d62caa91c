import type { Paragraph } from '../blocks.ts';
import { paginate, type Item } from './flow.ts';
import { at, centredOn } from '../ink/ink.ts';
import type { SheetFact, SheetInput, SheetOpinion } from '../input.ts';
import { core, mm, pitch, size2, type Measure, type Page } from '../ink/measures.ts';
import { boxItems, type Box } from '../table.ts';

const label = 24 * mm;
const value = core.width / 2 - label;
const factWidths = [label, value, label, value];
const opinionWidths = [26 * mm, 30 * mm, 20 * mm, core.width - 106 * mm, 30 * mm];
const signature = { width: 34 * mm, height: 14 * mm };

export const lines = (text: string, align: Paragraph['align'] = 'left'): Paragraph[] =>
  text.split('\n').map((line) => ({
    kind: 'paragraph',
    level: 0,
    align,
    indented: false,
    runs: [{ text: line, strong: false, slanted: false, underlined: false }],
  }));
export const box = (column: number, text: string, more: Partial<Box> = {}): Box => ({
  column,
  columns: 1,
  rows: 1,
  head: false,
  content: lines(text),
  ...more,
});

function factRows(facts: readonly SheetFact[]): Box[][] {
  const rows: Box[][] = [];
  let open: Box[] | null = null;
  for (const fact of facts) {
    const name = (column: number) => box(column, fact.label, { head: true });
    if (fact.wide) {
      if (open) open[1]!.columns = 3;
      open = null;
      rows.push([name(0), box(1, fact.value, { columns: 3 })]);
    } else if (open) {
      open.push(name(2), box(3, fact.value));
      open = null;
    } else {
      open = [name(0), box(1, fact.value)];
      rows.push(open);
    }
  }
  if (open) open[1]!.columns = 3;
  return rows;
}

function opinionRow({ state, who, dept, did, words, at: when, signature: png }: SheetOpinion): Box[] {
  return [
    box(0, state),
    box(1, dept ? `${who}\n${dept}` : who),
    box(2, did),
    box(3, words, png ? { picture: { kind: 'picture', x: 0, y: 0, ...signature, bytes: png } } : {}),
    box(4, when),
  ];
}

/** A processing sheet on its pages: the facts as a table, then all opinions with names and times. */
export function sheetPages({ name, org, facts, opinions }: SheetInput, measure: Measure): Page[] {
  const middle = core.left + core.width / 2;
  const heading: Item = {
    height: size2 * 2.4,
    onGrid: false,
    held: true,
    draw: (top) => [
      ...(org ? [centredOn(measure, middle, { text: org, face: 'text', size: 14, top: top - 20 })] : []),
      centredOn(measure, middle, { text: name, face: 'title', size: size2, top, spacing: 6 }),
    ],
  };
  const room: Item = { height: pitch / 2, onGrid: false, blank: true, draw: () => [] };
  const columns = ['环节', '办理人', '结果', '意见', '时间'];
  const header = columns.map((text, column) => box(column, text, { head: true }));
  const said = boxItems([header, ...opinions.map(opinionRow)], opinionWidths, measure).map((item, index) =>
    index === 0 ? { ...item, held: true } : item,
  );
  const items = [
    heading,
    ...boxItems(factRows(facts), factWidths, measure),
    ...(opinions.length > 0 ? [room, ...said] : []),
  ];
  const { pages } = paginate(items, [], core.top - 8 * mm);
  pages.forEach((page, index) => {
    const text = `第 ${index + 1} 页，共 ${pages.length} 页`;
    page.push(centredOn(measure, middle, { text, face: 'song', size: 9, top: core.bottom + 8 * mm }));
    if (index > 0) page.push(at(core.left, { text: `${name}（续）`, face: 'text', size: 9, top: core.top - 8 * mm }));
  });
  return pages;
}
