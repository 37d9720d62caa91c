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
