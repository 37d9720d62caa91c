import { Descriptions, Drawer, Skeleton, Tag } from 'antd';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { weekPath } from '../contract/looks.ts';
import { rooms } from '../contract/rooms.ts';
import './rooms.css';

/** A room as somebody who wants it needs to know it. */
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
              {
                key: 'place',
                label: '位置',
                children: [room.building, room.floor, room.room_no].filter(Boolean).join(' ') || '—',
              },
              { key: 'capacity', label: '容纳人数', children: `${room.capacity} 人` },
              { key: 'tools', label: '设备', children: room.equipment.map((one) => <Tag key={one}>{one}</Tag>) },
              {
                key: 'next',
                label: '最近空闲',
                children: room.next_free
                  ? `${room.next_free.start_time.slice(0, 16)}–${room.next_free.end_time.slice(11, 16)}`
                  : '一周内没有空闲',
              },
              { key: 'approves', label: '审批', children: room.approves ? '须会务审批' : '提交即可使用' },
              { key: 'rules', label: '规则', children: room.rules.join('；') },
              {
                key: 'office',
                label: '会务单位',
                children: [room.office.name, room.office.phone, room.office.address].filter(Boolean).join(' · '),
              },
              ...(room.office.rules_text ? [{ key: 'text', label: '使用须知', children: room.office.rules_text }] : []),
            ]}
          />
          <Link to={weekPath(id, date)}>这间会议室的一周</Link>
          {!room.may_use && <p className="kit-muted">目前不能使用这间会议室。</p>}
        </div>
      )}
    </Drawer>
  );
}
