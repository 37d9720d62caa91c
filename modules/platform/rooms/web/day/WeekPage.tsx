import { Button, Segmented, Select } from 'antd';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { dayOf, momentText, mondayOf, weekdayOf } from '#kernel/contract/moment.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { Calendar, type Picked } from '#kernel/web/kit/Calendar.tsx';
import { useCodesAt } from '#kernel/web/kit/permission.tsx';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { usePageTitle } from '#kernel/web/kit/page.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { roomTimes, weekPath } from '../../contract/looks.ts';
import { rooms as roomCalls } from '../../contract/rooms.ts';
import { cellsOf, closedTimes, firstHour } from '../../engine/gaps.ts';
import { BookDrawer, type Wanted } from './BookDrawer.tsx';
import { entriesOf, keyOf } from './entries.ts';
import { FreeTimes } from './FreeTimes.tsx';
import { useBlockMoves } from './useBlockMoves.tsx';

const dayName = (date: string) => `星期${'一二三四五六日'[weekdayOf(date) - 1]!}`;

/** One room through a week: its occupations, and its bookable times. */
export default function WeekPage() {
  const id = Number(useParams()['id']);
  const navigate = useNavigate();
  const narrow = useNarrow();
  const mayBook = useCodesAt()('/meet/list').includes('Create');
  const [search, setSearch] = useSearchParams();
  const date = search.get('date') ?? dayOf(new Date());
  const [asList, setAsList] = useState(narrow);
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const monday = mondayOf(date);
  const { data, error, refetch } = useCall(
    roomTimes.week,
    { params: { id }, query: { date: monday } },
    { refetchOnWindowFocus: true, meta: live },
  );
  const { data: choice } = useCall(roomCalls.simple, { query: {} });
  const days = data?.days ?? [];
  const [room] = days;
  usePageTitle(room ? `${room.name}的一周` : undefined);
  const go = (day: string) => setSearch({ date: day }, { replace: true });
  const now = momentText(new Date());
  const moves = useBlockMoves(days);
  const hours = [room?.open_hours.from ?? '07:00', room?.open_hours.to ?? '22:00'] as const;
  const entries = days.flatMap((day) => [
    // An occupation across midnight is one entry, on its first day or that of the week.
    ...entriesOf([day]).filter(
      ({ start }) => start.slice(0, 10) === day.date || (day.date === monday && start < monday),
    ),
    ...closedTimes(day, day.date, hours).map((one) => ({
      ...one,
      id: `closed:${one.start}`,
      look: 'grey' as const,
    })),
  ]);
  // Days are side by side here like rooms on a day: the arrow keys move along them.
  const cells = days.flatMap((day) =>
    cellsOf(day, day.date, now).map((one) => ({ ...one, resource: weekdayOf(day.date) })),
  );
  const open = (entry: string) => {
    const path = days.flatMap((day) => day.blocks.filter((one) => keyOf(one, day) === entry))[0]?.path;
    if (path) void navigate(path);
  };
  return (
    <section className="kit-list" aria-label="会议室的一周">
      <header className="kit-row kit-list-head">
        <h1>{room ? `${room.name}的一周` : '会议室的一周'}</h1>
        <Button onClick={() => void navigate(`/meet/day?date=${date}`)}>当天全部会议室</Button>
      </header>
      <div className="kit-row" style={{ flexWrap: 'wrap' }}>
        <Select
          aria-label="会议室"
          value={id}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={(next: number) => void navigate(weekPath(next, date), { replace: true })}
          options={(choice?.value ?? []).map(({ value, label, capacity }) => ({
            value,
            label: `${label}（${capacity} 人）`,
          }))}
          style={{ minWidth: 200 }}
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
        {room && <span className="kit-muted">{[`${room.capacity} 人`, ...room.equipment].join(' · ')}</span>}
      </div>
      {error && !data ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : asList ? (
        <>
          <DateInput kind="date" only aria-label="日期" value={date} style={{ maxWidth: 180 }} onChange={go} />
          {data && (
            <FreeTimes
              days={days.map((day) => ({
                room: day,
                date: day.date,
                title: `${day.date.slice(5)} ${dayName(day.date)}`,
              }))}
              now={now}
              onPick={mayBook ? (room, gap) => setWanted({ room_id: id, ...(firstHour(room, gap) ?? gap) }) : undefined}
            />
          )}
        </>
      ) : (
        <Calendar
          label="一周的时段"
          views={['week']}
          view="week"
          date={date}
          onChange={(to) => go(to.date)}
          entries={data && moves.marked(entries).map(({ resource: _room, ...one }) => one)}
          onMove={(entry, { start, end }) => moves.onMove(entry, { start, end })}
          resources={days.map((day) => ({ id: weekdayOf(day.date), title: dayName(day.date) }))}
          cells={mayBook ? cells : []}
          hours={hours}
          onOpen={open}
          {...(mayBook && {
            onPick: ({ start, end }: Picked) => setWanted({ room_id: id, start_time: start, end_time: end }),
          })}
        />
      )}
      {moves.asking}
      {wanted && room && <BookDrawer rooms={[room]} first={wanted} onClose={() => setWanted(null)} />}
    </section>
  );
}
