import type { Block, Paragraph, PictureBlock } from './blocks.ts';

/** Placeholder of a picture in a text; no person's text has these characters. */
export const pictureMark = (at: number) => `\uE000${at}\uE001`;
const mark = /\uE000(\d+)\uE001/;
const marks = /\uE000(\d+)\uE001/g;

/** A picture for setting: its bytes (PNG or JPEG) and its size in pixels. */
export interface SetPicture {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** A paragraph in pieces: text, picture, text. A missing picture leaves nothing. */
function pieces(paragraph: Paragraph, pictures: readonly (SetPicture | null)[]): Block[] {
  const whole: Block[] = [];
  let runs: Paragraph['runs'] = [];
  const end = () => {
    if (runs.some((run) => run.text.trim() !== '')) whole.push({ ...paragraph, runs });
    runs = [];
  };
  for (const run of paragraph.runs)
    // Every second piece is a placeholder's index.
    for (const [index, text] of run.text.split(mark).entries()) {
      if (index % 2 === 0) runs.push({ ...run, text });
      else {
        end();
        const picture = pictures[Number(text)];
        if (picture) whole.push({ kind: 'picture', picture });
      }
    }
  end();
  return whole;
}

/** Inserts pictures at their placeholders; those of a table follow it. */
export function withPictures(blocks: readonly Block[], pictures: readonly (SetPicture | null)[]): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (block.kind === 'picture') return [block];
    if (block.kind === 'paragraph')
      return block.runs.some((run) => mark.test(run.text)) ? pieces(block, pictures) : [block];
    const found: PictureBlock[] = [];
    const rows = block.rows.map((row) =>
      row.map((cell) => ({
        ...cell,
        content: cell.content.map((paragraph) => ({
          ...paragraph,
          runs: paragraph.runs.map((run) => ({
            ...run,
            text: run.text.replace(marks, (_, at: string) => {
              const picture = pictures[Number(at)];
              if (picture) found.push({ kind: 'picture', picture });
              return '';
            }),
          })),
        })),
      })),
    );
    return [{ ...block, rows }, ...found];
  });
}
