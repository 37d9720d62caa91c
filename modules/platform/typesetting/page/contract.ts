import { bodyItems } from '../body.ts';
import { blocksOf } from '../blocks.ts';
import type { ContractInput } from '../input.ts';
import { at, centredOn, widthOf } from '../ink/ink.ts';
import { baseline, core, mm, pitch, sheet, type Measure, type Page, type Text } from '../ink/measures.ts';
import { gap, paginate } from './flow.ts';
import { titleItems } from './title.ts';

const small = 9;
const code = 18 * mm;
const mark = { face: 'bold', size: 96, spacing: 24 } as const;

/** Across the middle of a page, faint. */
function watermark(text: string, measure: Measure): Text {
  const width = widthOf(measure, { ...mark, text });
  const x = (sheet.width - width) / 2;
  const y = baseline((sheet.height - mark.size) / 2, mark.size);
  return { kind: 'text', ...mark, text, x, y, colour: '#808080', turned: { degrees: -35, opacity: 0.18 } };
}

/**
 * The pages of a contract or, without a title and words, the overlay for each page of a text from a file: with number, page count, verification code,
 * and watermark.
 */
export function contractPages(input: ContractInput, measure: Measure): Page[] {
  const middle = core.left + core.width / 2;
  const top = core.top - pitch;
  const items = [
    ...(input.title ? [...titleItems(input.title, measure), gap(1, false)] : []),
    ...bodyItems(blocksOf(input.bodyHtml), measure),
  ];
  const { pages } = paginate(items, [], top);
  const foot = core.bottom + 8 * mm;
  return pages.map((page, index) => {
    const place = input.bodyHtml === '' ? '' : `第 ${index + 1} 页，共 ${pages.length} 页`;
    const { picture } = input;
    return [
      ...(input.watermark ? [watermark(input.watermark, measure)] : []),
      ...page,
      ...(place ? [centredOn(measure, middle, { text: place, face: 'song', size: small, top: foot })] : []),
      at(core.left, { text: input.number, face: 'song', size: small, top: foot }),
      ...(picture
        ? [
            {
              kind: 'picture' as const,
              x: core.right - code,
              y: foot - 4 * mm,
              width: code,
              height: code,
              bytes: picture,
            },
          ]
        : []),
    ];
  });
}
