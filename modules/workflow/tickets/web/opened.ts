import type { Row } from '../contract/shapes.ts';

/** The page that opens a ticket: its record's, else its own. Nobody decides without the text in view. */
export const openedAt = ({ id, record_path }: Pick<Row, 'id' | 'record_path'>): string =>
  record_path ?? `/ticket/detail/${id}`;
