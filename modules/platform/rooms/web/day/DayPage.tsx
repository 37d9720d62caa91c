import { Button, Segmented, Select } from 'antd';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { dayOf, momentText } from '#kernel/contract/moment.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { Calendar, type CalendarView, type Picked } from '#kernel/web/kit/Calendar.tsx';
import { useCodesAt } from '#kernel/web/kit/permission.tsx';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { offices } from '../../contract/offices.ts';
import { roomTimes, type DayRoom } from '../../contract/looks.ts';
import { cellsOf, closedTimes, firstHour, gapsOf, type Gap } from '../../engine/gaps.ts';
import { roomState } from '../../contract/shapes.ts';
import { BookDrawer, type Wanted } from './BookDrawer.tsx';
import { entriesOf, keyOf } from './entries.ts';
import { FreeTimes } from './FreeTimes.tsx';
import { MyWaiting } from './MyWaiting.tsx';
import { useBlockMoves } from './useBlockMoves.tsx';
import { anyRoom, hasWanted, RoomWants } from '../RoomWants.tsx';
import { RoomDrawer } from '../RoomDrawer.tsx';

const mostColumns = 12;

/** Every room of a day side by side: occupations and free times. */
export default function DayPage() {
  const navigate = useNavigate();
  const narrow = useNarrow();
  const [search, setSearch] = useSearchParams();
  const date = search.get('date') ?? dayOf(new Date());
  const [chosenView, setView] = useState<CalendarView | null>(null);
  const setShown = (to: { view: CalendarView; date: string }) => {
    setView(to.view);
    setSearch({ date: to.date }, { replace: true });
  };
  const [asList, setAsList] = useState(false);
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [office, setOffice] = useState<number | undefined>();
  const [wants, setWants] = useState(anyRoom);
  const [building, setBuilding] = useState<string | undefined>();
  const [looked, setLooked] = useState<number | null>(null);
  const { data: choice } = useCall(offices.choice, {});
  const { data, error, refetch } = useCall(
    roomTimes.day,
    { query: { date, ...(office === undefined ? {} : { office_id: office }) } },
    { refetchOnWindowFocus: true, meta: live },
  );
  const all = data?.rooms ?? [];
  const rooms = all.filter((room) => hasWanted(room, wants) && (building === undefined || room.building === building));
  // A chosen filter stays visible and removable, even if no room matches it.
  const buildings = [...new Set([...all.map((room) => room.building), building ?? ''])].filter(Boolean);
  // Columns of many rooms are too narrow to read, so they are shown as lines unless somebody chooses otherwise. A phone shows one room.
  const view = chosenView ?? (all.length > mostColumns && !narrow ? 'line' : 'rooms');
  const hours = rooms.map((room) => room.open_hours);
  const from = hours.map((one) => one.from).toSorted()[0] ?? '07:00';
  const to =
    hours
      .map((one) => one.to)
      .toSorted()
      .at(-1) ?? '22:00';
  const closed = rooms
    .flatMap((room) => closedTimes(room, date, [from, to]))
    .map((one, at) => ({ ...one, id: `closed:${at}`, look: 'grey' as const }));
  const now = momentText(new Date());
  const moves = useBlockMoves(rooms);
  const mayBook = useCodesAt()('/meet/list').includes('Create');
  const ask = (room: DayRoom, gap: Gap) => setWanted({ room_id: room.id, ...(firstHour(room, gap) ?? gap) });
  const book = () => {
    const room = rooms.find((one) => gapsOf(one, date, now).length > 0) ?? rooms[0];
    if (room) ask(room, gapsOf(room, date, now)[0] ?? { start_time: `${date} 09:00:00`, end_time: `${date} 10:00:00` });
  };
  return (
    <section className="kit-list" aria-label="会议室日视图">
      <header className="kit-row kit-list-head">
        <h1>会议室日视图</h1>
        {mayBook && (
          <Button type="primary" disabled={rooms.length === 0} onClick={book}>
            预约
          </Button>
        )}
      </header>
      <div className="kit-row">
        <Select
          aria-label="会务单位"
          allowClear
          placeholder="全部会务单位"
          value={office}
          onChange={setOffice}
          options={(choice?.value ?? []).map(({ value, label }) => ({ value, label }))}
          style={{ minWidth: 160 }}
        />
        <RoomWants value={wants} onChange={setWants} />
        <Select
          aria-label="楼宇"
          allowClear
          placeholder="全部楼宇"
          disabled={buildings.length < 2}
          value={building}
          onChange={setBuilding}
          options={buildings.map((value) => ({ value, label: value }))}
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
        <Segmented
          aria-label="显示"
          value={asList ? 'free' : 'grid'}
          onChange={(value) => setAsList(value === 'free')}
          options={[
            { value: 'grid', label: '时间格' },
            { value: 'free', label: '仅看空闲' },
          ]}
        />
      </div>
      <MyWaiting />
      {error && !data ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : data && rooms.length === 0 ? (
        <EmptyState why={all.length > 0 ? '没有符合条件的会议室，请减少人数、设备或换一栋楼' : '还没有会议室'} />
      ) : asList ? (
        <>
          <DateInput
            kind="date"
            only
            aria-label="日期"
            value={date}
            style={{ maxWidth: 180 }}
            onChange={(day) => setShown({ view, date: day })}
          />
          <FreeTimes
            days={rooms.map((room) => ({ room, date, title: room.name }))}
            now={now}
            onPick={mayBook ? ask : undefined}
          />
        </>
      ) : (
        <Calendar
          label="当天的会议室"
          views={['rooms', 'line']}
          view={view}
          date={date}
          onChange={setShown}
          entries={data && moves.marked([...entriesOf(rooms), ...closed])}
          onMove={moves.onMove}
          cells={mayBook ? rooms.flatMap((room) => cellsOf(room, date, now)) : []}
          resources={rooms.map(({ id, name, capacity: seats, status }) => ({
            id,
            // On two lines at most: the name, and its details.
            title: `${name.replaceAll(' ', '\u00a0')} ${status === roomState.usable ? `${seats}\u00a0人` : roomState.label(status)}`,
          }))}
          hours={[from, to]}
          onOpen={(id) => {
            const block = rooms.flatMap((room) => room.blocks.filter((one) => id === keyOf(one, room)))[0];
            if (block?.path) void navigate(block.path);
          }}
          {...(mayBook && {
            onPick: ({ start, end, resource }: Picked) =>
              setWanted({ room_id: resource ?? rooms[0]!.id, start_time: start, end_time: end }),
          })}
        />
      )}
      {moves.asking}
      {wanted && <BookDrawer rooms={rooms} first={wanted} onClose={() => setWanted(null)} />}
      {looked !== null && <RoomDrawer id={looked} date={date} onClose={() => setLooked(null)} />}
    </section>
  );
}
