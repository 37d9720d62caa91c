import type { Line } from '../page/lines.ts';
import { baseline, type Face, type Ink, type Measure, type Text } from './measures.ts';

/** A broken line whose character squares begin at `top`. */
export function inkOf(
  line: Line,
  { x, top, size, spacing }: { x: number; top: number; size: number; spacing: number },
) {
  return line.pieces.flatMap((piece): Ink[] => {
    const y = baseline(top, size);
    const text: Text = {
      kind: 'text',
      x: x + piece.x,
      y,
      text: piece.text,
      face: piece.face,
      size,
      spacing: spacing + line.extra,
      ...(piece.slanted && { oblique: true }),
    };
    const under = y + size * 0.16;
    const end = x + piece.x + piece.width;
    return piece.underlined
      ? [text, { kind: 'rule', x: text.x, y: under, toX: end, toY: under, thickness: 0.6 }]
      : [text];
  });
}

export interface Placing {
  text: string;
  face: Face;
  size: number;
  top: number;
  spacing?: number;
  colour?: string;
}
export const widthOf = (measure: Measure, { text, face, size, spacing = 0 }: Omit<Placing, 'top'>) =>
  measure(text, face, size) + Math.max(0, [...text].length - 1) * spacing;

/** A piece of text that begins at `x`. */
export function at(x: number, { text, face, size, top, spacing = 0, colour }: Placing): Text {
  return { kind: 'text', x, y: baseline(top, size), text, face, size, spacing, ...(colour && { colour }) };
}
export const endingAt = (measure: Measure, right: number, placing: Placing): Text =>
  at(right - widthOf(measure, placing), placing);
export const centredOn = (measure: Measure, middle: number, placing: Placing): Text =>
  at(middle - widthOf(measure, placing) / 2, placing);
