import type { ReactNode } from 'react';

export interface ListColumn<Row> {
  /** Field of the row, and the name `order_by` takes when `sort` is set. */
  key: string;
  title: string;
  render?: (row: Row) => ReactNode;
  /** What a value is called, where nothing else is rendered. */
  show?: (value: unknown) => string | number | null;
  /** CSS pixels. */
  width?: number;
  /** Numbers stand right, in figures of equal width. */
  number?: boolean;
  sort?: boolean;
  /** The title column: links to the record, and is never narrower than a title. */
  main?: boolean;
  /** Stands below the title, muted and outside its link. */
  note?: (row: Row) => ReactNode;
  /** Also shown where a preview takes half of the page. */
  brief?: boolean;
  /** Never cut: what does not fit stands on the next line. */
  whole?: boolean;
  pin?: 'left' | 'right';
  /** Not shown until chosen in the column settings. */
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

/** CSS pixels that a title has at least, unless a person made it narrower or none on the page needs them; what is made for less than so many is a name. */
export const titleWidth = 320;
const nameWidth = 170;
const roomOf = <Row>({ key, main, width }: ListColumn<Row>) =>
  main && (key === 'title' || (width ?? titleWidth) >= nameWidth) ? Math.max(titleWidth, width ?? 0) : width;

/** All columns in the person's order with their pins and widths; columns added since the choice was kept come at their own place. */
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
        hidden: !(choice.shown[column.key] ?? !column.hidden),
      };
    });
}

/** What the table shows: pinned left first, pinned right last, whatever order they were dragged to. */
export function arranged<Row>(columns: readonly ListColumn<Row>[], choice: ColumnChoice): ListColumn<Row>[] {
  const shown = ordered(columns, choice).filter((column) => !column.hidden);
  return [
    ...shown.filter((c) => c.pin === 'left'),
    ...shown.filter((c) => !c.pin),
    ...shown.filter((c) => c.pin === 'right'),
  ];
}

/** The order after moving one column to the place of another. */
export function moved(order: readonly string[], from: number, to: number): string[] {
  const next = [...order];
  const [key] = next.splice(from, 1);
  if (key !== undefined && to >= 0) next.splice(Math.min(to, next.length), 0, key);
  return key !== undefined && to < 0 ? [...order] : next;
}
