import { Descriptions, Drawer, Skeleton, Tag } from 'antd';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { weekPath } from '../contract/looks.ts';
import { RoomCard, rooms } from '../contract/rooms.ts';
import { OfficeInput } from '../contract/shapes.ts';
import './rooms.css';

/** A room with what people who want to book it need to know. */
export function RoomDrawer({ id, date, onClose }: { id: number; date: string; onClose: () => void }) {
  const narrow = useNarrow();
  const { data, error, refetch } = useCall(rooms.get, { params: { id } });
  const room = data?.value;
  return (
    <Drawer open onClose={onClose} title={room?.name ?? '会议室'} size={narrow ? '100%' : 480}>
      {error && !room ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : !room ? (
        <Skeleton active />
      ) : (
        <div className="kit-stack">
          {room.photos_info.length > 0 && (
            <div className="room-photos">
              {room.photos_info.map((photo) => (
                <img key={photo.id} src={photo.url} alt={`${room.name}的照片 ${photo.name}`} loading="lazy" />
              ))}
            </div>
          )}
          <Descriptions
            column={1}
            size="small"
            items={[
              ...factsOf(RoomCard, {
                building: {
                  heading: '位置',
                  shown: [room.building, room.floor, room.room_no].filter(Boolean).join(' ') || '—',
                },
                capacity: `${room.capacity} 人`,
                equipment: room.equipment.map((one) => <Tag key={one}>{one}</Tag>),
                next_free: room.next_free
                  ? `${room.next_free.start_time.slice(0, 16)}–${room.next_free.end_time.slice(11, 16)}`
                  : '一周内没有空闲',
                approves: room.approves ? '须会务审批' : '提交即可使用',
                rules: room.rules.join('；'),
                office: [room.office.name, room.office.phone, room.office.address].filter(Boolean).join(' · '),
              }),
              ...factsOf(OfficeInput, { rules_text: room.office.rules_text }),
            ]}
          />
          <Link to={weekPath(id, date)}>这间会议室的一周</Link>
          {!room.may_use && <p className="kit-muted">目前不能使用这间会议室。</p>}
        </div>
      )}
    </Drawer>
  );
}
