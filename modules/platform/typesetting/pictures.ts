import type { Block, Paragraph, PictureBlock } from './blocks.ts';

/** Stands in a text where a picture goes; no text of a person has these characters. */
export const pictureMark = (at: number) => `\uE000${at}\uE001`;
const mark = /\uE000(\d+)\uE001/;
const marks = /\uE000(\d+)\uE001/g;

/** A picture as it is set: its bytes (PNG or JPEG) and its size in dots. */
export interface SetPicture {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** A paragraph in pieces: text, picture, text. A picture that is not there leaves nothing. */
function pieces(paragraph: Paragraph, pictures: readonly (SetPicture | null)[]): Block[] {
  const whole: Block[] = [];
  let runs: Paragraph['runs'] = [];
  const end = () => {
    if (runs.some((run) => run.text.trim() !== '')) whole.push({ ...paragraph, runs });
    runs = [];
  };
  for (const run of paragraph.runs)
    // Every second piece is what the mark says.
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

/** Puts pictures where their marks stand; those of a table follow it. */
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
