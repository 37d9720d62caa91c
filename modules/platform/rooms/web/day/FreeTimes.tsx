import { Button, Tag } from 'antd';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import type { DayRoom } from '../../contract/looks.ts';
import { gapsOf, type Gap } from '../../engine/gaps.ts';
import '../rooms.css';

/** Free times, one line per room and day, as buttons: for keyboards and phones. */
export function FreeTimes<R extends DayRoom>({
  days,
  now,
  onPick,
}: {
  days: readonly { room: R; date: string; title: string }[];
  now: string;
  /** If missing, nothing may be booked. */
  onPick?: ((room: R, gap: Gap) => void) | undefined;
}) {
  const known = days.map((one) => ({ ...one, gaps: gapsOf(one.room, one.date, now) }));
  const free = known.filter(({ gaps }) => gaps.length > 0);
  if (free.length === 0) return <EmptyState why="没有空闲的时段，请换一天，或在“预约”中加入候补" />;
  return (
    <ul className="room-free" aria-label="空闲时段">
      {free.map(({ room, date, title, gaps }) => (
        <li key={`${room.id} ${date}`} className="kit-panel">
          <div>
            <strong>{title}</strong>
            <span className="kit-muted">
              {' '}
              {room.capacity} 人{room.equipment.length > 0 && ` · ${room.equipment.join('、')}`}
            </span>
          </div>
          <div className="kit-row">
            {gaps.map((gap) => {
              const time = `${gap.start_time.slice(11, 16)}–${gap.end_time.slice(11, 16)}`;
              return onPick ? (
                <Button key={gap.start_time} onClick={() => onPick(room, gap)}>
                  {time}
                </Button>
              ) : (
                <Tag key={gap.start_time}>{time}</Tag>
              );
            })}
          </div>
        </li>
      ))}
    </ul>
  );
}
