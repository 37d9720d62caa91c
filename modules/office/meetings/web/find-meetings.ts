import type { Finder } from '#kernel/web/registry.ts';
import { recordFinder } from '#modules/workflow/records/widgets.tsx';
import { titleWanted } from './form/begun.ts';
import { meetCalls } from '../contract/meetings.ts';
import type { MeetRow } from '../contract/shapes.ts';

const sn = (row: MeetRow) => row.start_time?.slice(0, 16) ?? '';
const meetings = recordFinder(meetCalls.list, { noun: '会议', page: '/meet/detail', sn });
/** Meetings by their titles; and the short form of a new one, for whoever types that they want one. */
const find: Finder = async (text, signal, codesAt) => {
  const title = codesAt('/meet/list').includes('Create') ? titleWanted(text) : undefined;
  const book = {
    key: 'meet-book',
    title: title ? `预约会议：${title}` : '预约会议',
    hint: '会议',
    to: title ? `/meet/book?${new URLSearchParams({ title }).toString()}` : '/meet/book',
  };
  return [...(title === undefined ? [] : [book]), ...(await meetings(text, signal, codesAt))];
};
export default find;
