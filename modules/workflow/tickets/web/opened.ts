import type { Row } from '../contract/shapes.ts';

/** Where a ticket is opened: where its record is read, else on its own page. Nobody decides on what they have not before them. */
export const openedAt = ({ id, record_path }: Pick<Row, 'id' | 'record_path'>): string =>
  record_path ?? `/ticket/detail/${id}`;
