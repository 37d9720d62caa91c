import { Alert, Button, Segmented } from 'antd';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { dayOf } from '#kernel/contract/moment.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { Calendar, rangeOf, type CalendarView, type Picked } from '#kernel/web/kit/Calendar.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { useCodesAt } from '#kernel/web/kit/permission.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { calendar, calendarScopes, mostMeetings } from '../contract/calendar.ts';
import { useMoving } from './moving/useMoving.ts';

const moreText = `这段时间的会议超过 ${mostMeetings.toLocaleString('zh-CN')} 场，只显示最早开始的一部分。请改看一周，或把范围换为“本部门”“我的”。`;

type Scope = keyof typeof calendarScopes;

/** 会议日历: meetings by month, week or as a list, each in the detail the viewer may see. */
export default function CalendarPage() {
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const scope = (search.get('scope') ?? 'mine') as Scope;
  const date = search.get('date') ?? dayOf(new Date());
  const [view, setView] = useState<CalendarView>(useNarrow() ? 'list' : 'month');
  const set = (part: Record<string, string>) => setSearch({ scope, date, ...part }, { replace: true });
  const { from, to } = rangeOf(view, date);
  const { data, error, refetch } = useCall(
    calendar.calendar,
    { query: { start: from, end: to, scope } },
    { meta: live },
  );
  const move = useMoving();
  const mayBook = useCodesAt()('/meet/list').includes('Create');
  const book = ({ start, end }: Picked) => {
    if (!mayBook) return;
    // A selected whole day gives no time for a meeting.
    if (start.slice(11, 16) === '00:00' && end.slice(11, 16) === '00:00') return;
    const times = { start_time: start.slice(0, 16), end_time: end.slice(0, 16) };
    void navigate(`/meet/book?${new URLSearchParams(times).toString()}`);
  };
  return (
    <section className="kit-list" aria-label="会议日历">
      <header className="kit-row">
        <h1>会议日历</h1>
        <Segmented
          aria-label="范围"
          value={scope}
          onChange={(next) => set({ scope: next })}
          options={Object.entries(calendarScopes).map(([value, label]) => ({ value, label }))}
        />
        <span className="kit-grow" />
        <Button onClick={() => void navigate(`/meet/print/0?week=${rangeOf('week', date).from}&scope=${scope}`)}>
          打印本周会议表
        </Button>
        {mayBook && (
          <>
            <Button onClick={() => void navigate('/meet/new')}>申请会议</Button>
            <Button type="primary" onClick={() => void navigate('/meet/book')}>
              预约会议
            </Button>
          </>
        )}
      </header>
      {error && !data ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : (
        <>
          {data?.more && <Alert type="warning" showIcon title={moreText} />}
          <Calendar
            label="日历"
            views={['month', 'week', 'day', 'list']}
            view={view}
            date={date}
            onChange={(next) => {
              setView(next.view);
              set({ date: next.date });
            }}
            entries={data?.value.map((row, at) => ({
              id: row.id === null ? `other:${at}` : String(row.id),
              title: row.room_name ? `${row.title}（${row.room_name}）` : row.title,
              start: row.start_time,
              end: row.end_time,
              mine: row.mine,
              movable: row.movable,
              look:
                row.id === null
                  ? ('grey' as const)
                  : row.act_state === actState.ongoing
                    ? ('striped' as const)
                    : ('solid' as const),
            }))}
            {...(view === 'week' || view === 'day' ? { onPick: book } : {})}
            onMove={(id, to) => {
              const row = data?.value.find((one) => String(one.id) === id);
              if (!row || row.id === null) return false;
              const { title, version, start_time, end_time } = row;
              const dragged = { id: row.id, title, version, was: { start_time, end_time } };
              return move({ ...dragged, to: { start_time: to.start, end_time: to.end } });
            }}
            onOpen={(id) => /^\d+$/.test(id) && void navigate(`/meet/detail/${id}`)}
          />
        </>
      )}
    </section>
  );
}
