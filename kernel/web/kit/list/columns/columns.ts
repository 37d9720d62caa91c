import type { ReactNode } from 'react';

export interface ListColumn<Row> {
  /** Field of the row, and the value of `order_by` if `sort` is set. */
  key: string;
  title: string;
  render?: (row: Row) => ReactNode;
  /** The label of a value, if there is no `render`. */
  show?: (value: unknown) => string | number | null;
  /** CSS pixels. */
  width?: number;
  /** The person chose the width. */
  sized?: boolean;
  /** Numbers are right-aligned, in digits of equal width. */
  number?: boolean;
  sort?: boolean;
  /** The title column: links to the record, and is never narrower than a title. */
  main?: boolean;
  /** Shown below the title, muted and outside its link. */
  note?: (row: Row) => ReactNode;
  /** Also shown while a preview takes half of the page. */
  brief?: boolean;
  /** Never truncated: long text wraps to the next line. */
  whole?: boolean;
  pin?: 'left' | 'right';
  /** Hidden until chosen in the column settings. */
  hidden?: boolean;
}

export type Density = 'small' | 'medium' | 'large';
export interface ColumnChoice {
  order: string[];
  shown: Record<string, boolean>;
  pins: Record<string, 'left' | 'right' | 'none'>;
  widths: Record<string, number>;
  density: Density;
}
export const asDesigned: ColumnChoice = { order: [], shown: {}, pins: {}, widths: {}, density: 'medium' };

/**
 * The minimum width of a title in CSS pixels, unless a person made it narrower or no title on the page needs it; a column made narrower than this
 * holds names.
 */
export const titleWidth = 320;
const nameWidth = 170;
const roomOf = <Row>({ key, main, width }: ListColumn<Row>) =>
  main && (key === 'title' || (width ?? titleWidth) >= nameWidth) ? Math.max(titleWidth, width ?? 0) : width;

/** All columns in the person's order with their pins and widths; columns that are newer than the saved choice take their default position. */
export function ordered<Row>(columns: readonly ListColumn<Row>[], choice: ColumnChoice): ListColumn<Row>[] {
  const place = (column: ListColumn<Row>, index: number) => {
    const kept = choice.order.indexOf(column.key);
    return kept < 0 ? index + 0.5 : kept;
  };
  return columns
    .map((column, index) => ({ column, place: place(column, index) }))
    .sort((a, b) => a.place - b.place)
    .map(({ column }) => {
      const pin = choice.pins[column.key];
      return {
        ...column,
        pin: pin === undefined ? column.pin : pin === 'none' ? undefined : pin,
        width: choice.widths[column.key] ?? roomOf(column),
        sized: choice.widths[column.key] !== undefined,
        hidden: !(choice.shown[column.key] ?? !column.hidden),
      };
    });
}

/** The columns of the table: pinned left first, pinned right last, regardless of their order. */
export function arranged<Row>(columns: readonly ListColumn<Row>[], choice: ColumnChoice): ListColumn<Row>[] {
  const shown = ordered(columns, choice).filter((column) => !column.hidden);
  return [
    ...shown.filter((c) => c.pin === 'left'),
    ...shown.filter((c) => !c.pin),
    ...shown.filter((c) => c.pin === 'right'),
  ];
}

/** Returns the order after moving one column to the position of another. */
export function moved(order: readonly string[], from: number, to: number): string[] {
  const next = [...order];
  const [key] = next.splice(from, 1);
  if (key !== undefined && to >= 0) next.splice(Math.min(to, next.length), 0, key);
  return key !== undefined && to < 0 ? [...order] : next;
}
