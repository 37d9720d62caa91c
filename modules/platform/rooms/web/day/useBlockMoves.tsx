import { Suspense, useContext, useState, type ReactNode } from 'react';
import type { CalendarEntry, Picked } from '#kernel/web/kit/Calendar.tsx';
import { MoversContext, type Dragged } from '#kernel/web/registry.ts';
import type { DayRoom } from '../../contract/looks.ts';
import { keyOf } from './entries.ts';

interface Asking {
  module: string;
  dragged: Dragged;
}

/** Lets occupations be dragged if their module can move them and the viewer may: the module asks for confirmation, and returns whether it was moved. */
export function useBlockMoves(rooms: readonly DayRoom[]): {
  marked: (entries: readonly CalendarEntry[]) => CalendarEntry[];
  onMove: (id: string, to: Picked) => Promise<boolean> | boolean;
  asking: ReactNode;
} {
  const movers = useContext(MoversContext);
  const [asking, setAsking] = useState<Asking | null>(null);
  const found = (id: string) =>
    rooms.flatMap((room) => room.blocks.flatMap((block) => (keyOf(block, room) === id ? [{ room, block }] : [])))[0];
  const Mover = asking && movers[asking.module];
  return {
    marked: (entries) =>
      entries.map((entry) => {
        const block = found(entry.id)?.block;
        return block && block.movable !== null && Object.hasOwn(movers, block.module)
          ? { ...entry, movable: true }
          : entry;
      }),
    onMove(id, { start, end, resource }) {
      const from = found(id);
      if (!from || from.block.movable === null) return false;
      const { module, record_id, title, movable, start_time, end_time } = from.block;
      const elsewhere = resource !== undefined && resource !== from.room.id ? { room_id: resource } : {};
      return new Promise((settle) =>
        setAsking({
          module,
          dragged: {
            id: record_id,
            title,
            version: movable!,
            was: { start_time, end_time },
            to: { start_time: start, end_time: end, ...elsewhere },
            onSettled(stands) {
              setAsking(null);
              settle(stands);
            },
          },
        }),
      );
    },
    asking: asking && Mover && (
      <Suspense fallback={null}>
        <Mover {...asking.dragged} />
      </Suspense>
    ),
  };
}
