/** GB/T 9704—2012 in points; y grows downward from the top of the sheet. */
export const mm = 72 / 25.4;
export const sheet = { width: 210 * mm, height: 297 * mm };
/** 版心: 156 × 225 mm, 37 mm below the top, 28 mm from the left. */
export const core = {
  left: 28 * mm,
  top: 37 * mm,
  width: 156 * mm,
  height: 225 * mm,
  right: (28 + 156) * mm,
  bottom: (37 + 225) * mm,
};
export const linesOnPage = 22;
export const charactersInLine = 28;
export const pitch = core.height / linesOnPage;
/** 三号, 二号, 四号. */
export const size3 = 16;
export const size2 = 22;
export const size4 = 14;
/** 28 characters of 三号 are a little wider than the core: each is narrowed by this much. */
export const tightness = core.width / charactersInLine - size3;
/** The width of a character of the text. */
export const em = size3 + tightness;

/** 仿宋 for text, 小标宋 for title and mark, 黑体 and 楷体 for levels, 宋体 for page numbers. */
export type Face = 'text' | 'title' | 'bold' | 'kai' | 'song';

export interface Text {
  kind: 'text';
  x: number;
  /** Position of the baseline. */
  y: number;
  text: string;
  face: Face;
  size: number;
  /** Added after each character. */
  spacing: number;
  colour?: string;
  oblique?: boolean;
  /** Narrower or wider than the face; 1 by default. */
  stretch?: number;
  /** Rotated around the middle of the page, and faint. */
  turned?: { degrees: number; opacity: number };
}
export interface Rule {
  kind: 'rule';
  x: number;
  y: number;
  toX: number;
  toY: number;
  thickness: number;
  colour?: string;
}
export interface Picture {
  kind: 'picture';
  x: number;
  y: number;
  width: number;
  height: number;
  /** PNG or JPEG. */
  bytes: Uint8Array;
}
export type Ink = Text | Rule | Picture;
export type Page = Ink[];

/** Width of a text in points, without spacing. */
export type Measure = (text: string, face: Face, size: number) => number;

/** Baseline of a text whose square begins at `top`. */
export const baseline = (top: number, size: number) => top + size * 0.86;
