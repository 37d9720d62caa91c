import type { Finder, Found } from '#kernel/web/registry.ts';
import { recordFinder } from '#modules/workflow/records/widgets.tsx';
import { meetingWanted } from '../form/begun.ts';
import { meetCalls } from '../../contract/meetings.ts';
import type { MeetRow } from '../../contract/shapes.ts';

const sn = (row: MeetRow) => row.start_time?.slice(0, 16) ?? '';
const meetings = recordFinder(meetCalls.list, { noun: '会议', page: '/meet/detail', sn });

/** The short form of a meeting, offered when somebody types that they want one, with the time and title they typed. */
async function booking(wanted: string, now: Date): Promise<Found> {
  // The parser of times is large, and few people type one, so it is loaded on demand.
  const time = wanted ? (await import('#kernel/web/kit/find/office-time.ts')).timeIn(wanted, now) : null;
  const title = time ? time.rest : wanted;
  const form = { ...(title && { title }), ...(time && { start_time: time.start_time, end_time: time.end_time }) };
  const at = time && `${time.start_time.replace('T', ' ')} 至 ${time.end_time.slice(11)}`;
  const address = new URLSearchParams(form).toString();
  return {
    key: 'meet-book',
    title: title ? `预约会议：${title}` : '预约会议',
    hint: at ?? '会议',
    act: true,
    to: address ? `/meet/book?${address}` : '/meet/book',
  };
}

/** Meetings by title, and the short form of a new one for those who type that they want one. */
const find: Finder = async (text, signal, seeking) => {
  const wanted = seeking.codesAt('/meet/list').includes('Create') ? meetingWanted(text) : undefined;
  const book = wanted === undefined ? [] : [await booking(wanted, seeking.now)];
  return [...book, ...(await meetings(text, signal, seeking))];
};
export default find;
