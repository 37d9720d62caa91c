/** What an address has a form of a meeting begin with. */
export function begunBy(address: URLSearchParams): Record<string, unknown> {
  const [title, start, end] = ['title', 'start_time', 'end_time'].map((key) => address.get(key));
  const room = Number(address.get('room_id'));
  return {
    ...(title && { title }),
    ...(start && { start_time: start.slice(0, 16) }),
    ...(end && { end_time: end.slice(0, 16) }),
    ...(room > 0 && { room_id: room }),
  };
}

/** Words of somebody who wants a room, and what they say of the meeting after them. */
const wanted = /^(?:新建会议|预约会议室?|预约|[约订]会议?室?|开会|申请会议室?)\s*(.*)$/;
/** What somebody says of a meeting that they type that they want; nothing where they type something else. */
export const meetingWanted = (text: string): string | undefined => wanted.exec(text.trim())?.[1];
