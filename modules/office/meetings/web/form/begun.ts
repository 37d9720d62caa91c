/** The initial values that an address gives to the form. */
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

/** The words of somebody who wants a room, followed by what they say of the meeting. */
const wanted = /^(?:新建会议|预约会议室?|预约|[约订]会议?室?|开会|申请会议室?)\s*(.*)$/;
/** The words after a request for a meeting; undefined if the text is none. */
export const meetingWanted = (text: string): string | undefined => wanted.exec(text.trim())?.[1];
