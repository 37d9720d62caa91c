import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { offices } from '../contract/offices.ts';
import { weekPath } from '../contract/looks.ts';
import { rooms, type RoomRow } from '../contract/rooms.ts';
import { equipment, roomState } from '../contract/shapes.ts';
import { Closures } from './Closures.tsx';
import { RoomForm } from './RoomForm.tsx';

const stateColours = { 1: 'success', 0: 'default', 2: 'warning' } as const;

/** 会议室 for their keepers: equipment, permitted users, closed times. */
export default function RoomPage() {
  const navigate = useNavigate();
  const [open, setOpen] = useState<RoomRow | 'new' | null>(null);
  const [closing, setClosing] = useState<RoomRow | null>(null);
  const { data } = useCall(offices.choice, {});
  const known = (data?.value ?? []).map(({ value, label }) => ({ value, label }));
  return (
    <>
      <ListPage<RoomRow>
        card={['status', 'building', 'capacity']}
        name="meet/room"
        title="会议室"
        purpose="登记会议室的容量、设备和使用规则，安排停用时段"
        call={rooms.list}
        columns={listColumns(rowOf(rooms.list), {
          name: { main: true, sort: true, width: 160 },
          office_name: { width: 130 },
          building: {
            heading: '位置',
            width: 150,
            render: ({ building, floor, room_no: no }) => [building, floor, no].filter(Boolean).join(' ') || '—',
          },
          capacity: { sort: true, width: 90 },
          equipment: { width: 180, render: (row) => row.equipment.map((one) => <Tag key={one}>{one}</Tag>) },
          allow_names: { width: 140, render: (row) => row.allow_names.join('、') || '全体' },
          buffer_minutes: { hidden: true },
          status: {
            width: 80,
            render: ({ status }) => <Tag color={stateColours[status as 1]}>{roomState.label(status)}</Tag>,
          },
        })}
        filters={[
          {
            key: 'office_id',
            kind: 'select',
            options: known.map(({ value, label }) => ({ value: String(value), label })),
          },
          {
            key: 'capacity',
            kind: 'select',
            options: ['10', '20', '50', '100', '200'].map((value) => ({ value, label: `${value} 人` })),
          },
          {
            key: 'equipment',
            kind: 'select',
            options: equipment.map((value) => ({ value, label: value })),
          },
          {
            key: 'status',
            kind: 'select',
            options: Object.entries(roomState.names).map(([value, label]) => ({ value, label })),
          },
        ]}
        primary={
          <WithCode code="Create">
            <Button type="primary" onClick={() => setOpen('new')}>
              新增会议室
            </Button>
          </WithCode>
        }
        onOpen={(row) => row.actions.includes('update') && setOpen(row)}
        rowActions={(row) => (
          <div className="kit-row">
            <Button size="small" onClick={() => void navigate(weekPath(row.id))}>
              一周
            </Button>
            {row.actions.includes('update') && (
              <Button size="small" onClick={() => setClosing(row)}>
                停用与门牌
              </Button>
            )}
            <CallButton
              call={rooms.remove}
              asked={{ params: { id: row.id } }}
              allowed={row.actions.includes('delete')}
              danger
              size="small"
              confirm={{ title: `删除会议室“${row.name}”`, content: '之后没有安排时才能删除，删除后不能恢复' }}
            >
              删除
            </CallButton>
          </div>
        )}
        actionsWidth={222}
        empty={{ why: '还没有会议室，点“新增会议室”登记；没有会务单位的先到“会务单位”新增' }}
      />
      {open !== null && <RoomForm room={open === 'new' ? null : open} offices={known} onClose={() => setOpen(null)} />}
      {closing && <Closures room={closing} onClose={() => setClosing(null)} />}
    </>
  );
}
