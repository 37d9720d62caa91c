import { Select } from 'antd';
import { useState } from 'react';
import { dayOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { Calendar, type CalendarEntry, type CalendarView } from '#kernel/web/kit/Calendar.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { offices } from '../contract/offices.ts';
import { roomTimes, type DayRoom } from '../contract/looks.ts';
import { RoomDrawer } from './RoomDrawer.tsx';

const entriesOf = (rooms: readonly DayRoom[]): CalendarEntry[] =>
  rooms.flatMap((room) =>
    room.blocks.map((block) => ({
      id: `${block.module}:${block.record_id}:${room.id}:${block.start_time}`,
      title: block.title,
      start: block.start_time,
      end: block.free_at,
      resource: room.id,
      mine: block.mine,
      look: block.module === 'blackouts' ? 'grey' : block.held ? 'striped' : 'solid',
    })),
  );

/** Every room of a day beside each other: what is taken, by what, and what is free. */
export default function DayPage() {
  const [{ view, date }, setShown] = useState<{ view: CalendarView; date: string }>({
    view: 'rooms',
    date: dayOf(new Date()),
  });
  const [office, setOffice] = useState<number | undefined>();
  const [capacity, setCapacity] = useState<number | undefined>();
  const [looked, setLooked] = useState<number | null>(null);
  const { data: choice } = useCall(offices.choice, {});
  const { data, error, refetch } = useCall(
    roomTimes.day,
    { query: { date, ...(office === undefined ? {} : { office_id: office }) } },
    { refetchOnWindowFocus: true },
  );
  const rooms = (data?.rooms ?? []).filter((room) => capacity === undefined || room.capacity >= capacity);
  const hours = rooms.map((room) => room.open_hours);
  const from = hours.map((one) => one.from).toSorted()[0] ?? '07:00';
  const to =
    hours
      .map((one) => one.to)
      .toSorted()
      .at(-1) ?? '22:00';
  return (
    <section className="kit-stack" aria-label="会议室日视图">
      <div className="kit-row kit-panel">
        <Select
          aria-label="会务单位"
          allowClear
          placeholder="全部会务单位"
          value={office}
          onChange={setOffice}
          options={(choice?.value ?? []).map(({ value, label }) => ({ value, label }))}
          style={{ minWidth: 160 }}
        />
        <Select
          aria-label="至少容纳"
          allowClear
          placeholder="不限人数"
          value={capacity}
          onChange={setCapacity}
          options={[10, 20, 50, 100, 200].map((value) => ({ value, label: `${value} 人以上` }))}
          style={{ minWidth: 130 }}
        />
        <Select
          aria-label="查看会议室"
          placeholder="查看会议室"
          value={null}
          onChange={(id: number | null) => setLooked(id)}
          options={rooms.map(({ id, name, capacity: seats }) => ({ value: id, label: `${name}（${seats} 人）` }))}
          style={{ minWidth: 170 }}
        />
      </div>
      {error && !data ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : data && rooms.length === 0 ? (
        <EmptyState why={capacity ? '没有这么大的会议室，请减少人数' : '还没有会议室'} />
      ) : (
        <Calendar
          label="会议室日视图"
          views={['rooms', 'line']}
          view={view}
          date={date}
          onChange={setShown}
          entries={entriesOf(rooms)}
          resources={rooms.map(({ id, name, capacity: seats }) => ({ id, title: `${name}（${seats} 人）` }))}
          hours={[from, to]}
        />
      )}
      {looked !== null && <RoomDrawer id={looked} onClose={() => setLooked(null)} />}
    </section>
  );
}
