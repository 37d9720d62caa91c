import type { Row } from './shapes.ts';

type Begun = Pick<Row, 'creator_info' | 'begun_by' | 'gmt_created'>;

/** The creator of a ticket, with the person who started it for them: `李四（张三 代为发起）`. */
export const creatorText = ({ creator_info: { alias }, begun_by }: Omit<Begun, 'gmt_created'>): string =>
  begun_by ? `${alias}（${begun_by.alias} 代为发起）` : alias;

/** The beginning of a ticket as a clause: `由 张三 代 李四 于 2026-11-30 09:00 发起`. */
export const begunText = ({ creator_info: { alias }, begun_by, gmt_created }: Begun): string =>
  `${begun_by ? `由 ${begun_by.alias} 代 ${alias}` : alias} 于 ${gmt_created.slice(0, 16)} 发起`;
