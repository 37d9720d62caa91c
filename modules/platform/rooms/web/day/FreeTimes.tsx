import { Button } from 'antd';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import type { DayRoom } from '../../contract/looks.ts';
import { gapsOf, type Gap } from '../../engine/gaps.ts';
import '../rooms.css';

/** When each room may still be had on a day, as buttons: for keyboards and phones. */
export function FreeTimes(props: {
  rooms: readonly DayRoom[];
  date: string;
  now: string;
  onPick: (room: DayRoom, gap: Gap) => void;
}) {
  const { rooms, date, now, onPick } = props;
  const known = rooms.map((room) => ({ room, gaps: gapsOf(room, date, now) })).filter(({ gaps }) => gaps.length > 0);
  if (known.length === 0) return <EmptyState why="这一天没有空闲的会议室，请换一天，或在“预约”中加入候补" />;
  return (
    <ul className="room-free" aria-label="空闲时段">
      {known.map(({ room, gaps }) => (
        <li key={room.id} className="kit-panel">
          <div>
            <strong>{room.name}</strong>
            <span className="kit-muted">
              {' '}
              {room.capacity} 人{room.equipment.length > 0 && ` · ${room.equipment.join('、')}`}
            </span>
          </div>
          <div className="kit-row">
            {gaps.map((gap) => (
              <Button key={gap.start_time} onClick={() => onPick(room, gap)}>
                {gap.start_time.slice(11, 16)}–{gap.end_time.slice(11, 16)}
              </Button>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}
