import type { CalendarEntry } from '#kernel/web/kit/Calendar.tsx';
import type { Block, DayRoom } from '../../contract/looks.ts';

/** The id of an entry in a room's calendar. */
export const keyOf = (block: Block, room: DayRoom) =>
  `${block.module}:${block.record_id}:${room.id}:${block.start_time}`;
/** Occupations of some rooms, with the time kept free after each. */
export const entriesOf = (rooms: readonly DayRoom[]): CalendarEntry[] =>
  rooms.flatMap((room) =>
    room.blocks.flatMap((block) => {
      const id = keyOf(block, room);
      const about = {
        id,
        title: block.title,
        start: block.start_time,
        end: block.end_time,
        resource: room.id,
        mine: block.mine,
      };
      const look =
        block.module === 'blackouts' ? ('grey' as const) : block.held ? ('striped' as const) : ('solid' as const);
      const tidying = {
        ...about,
        id: `${id}:after`,
        title: '整理',
        start: block.end_time,
        end: block.free_at,
        mine: false,
      };
      return [{ ...about, look }, ...(block.free_at > block.end_time ? [{ ...tidying, look: 'grey' as const }] : [])];
    }),
  );
