import { keepPreviousData } from '@tanstack/react-query';
import { Alert, Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { dayOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { Calendar, rangeOf, type CalendarEntry, type CalendarView } from '#kernel/web/kit/Calendar.tsx';
import { daysOf } from '#kernel/web/kit/figures/days.ts';
import { FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { CategoryTabs } from '#kernel/web/kit/list/bar/CategoryTabs.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { deptFilter } from '#modules/platform/people/widgets.tsx';
import { activityStatistics, boardCalls, type Entry } from '../contract/board.ts';
import { typeText } from '../contract/codes.ts';
import './activities.css';

const tabs = { calendar: '日历', map: '冲突图', figures: '统计' };
const looks: Record<number, CalendarEntry['look']> = { 2: 'grey', 3: 'grey' };

/** Lists places, then leaders; an activity stands in the line of each one that it takes. */
function lines(entries: readonly Entry[], clashing: ReadonlySet<number>) {
  const names = [
    ...new Set(entries.map((one) => one.place || '未定地点')),
    ...new Set(entries.flatMap((one) => one.leaders.map((leader) => `领导：${leader}`))),
  ];
  const shown = entries.flatMap((one) =>
    [one.place || '未定地点', ...one.leaders.map((leader) => `领导：${leader}`)].map((name): CalendarEntry => ({
      id: `${one.id}:${name}`,
      title: one.title,
      start: one.start_time,
      end: one.end_time,
      resource: names.indexOf(name),
      look: clashing.has(one.id) ? 'clash' : one.held ? 'striped' : 'solid',
    })),
  );
  return { resources: names.map((title, at) => ({ id: at, title })), shown };
}

/** 活动看板: the calendar of activities, the people and places they share, and statistics. */
export default function BoardPage() {
  const [search, setSearch] = useSearchParams();
  const tab = search.get('tab') ?? 'calendar';
  const narrow = useNarrow();
  const [shown, setShown] = useState<{ view: CalendarView; date: string }>({
    view: narrow ? 'list' : 'month',
    date: dayOf(new Date()),
  });
  const navigate = useNavigate();
  const map = tab === 'map';
  const view: CalendarView = map ? 'line' : shown.view;
  // The map shows one day but its clashes cover the whole month, each with a link to its day.
  const { from, to } = rangeOf(map ? 'month' : view, shown.date);
  const { data, error, refetch } = useCall(
    boardCalls.data,
    { query: { start: from, end: to } },
    { enabled: tab !== 'figures', placeholderData: keepPreviousData },
  );
  const entries = data?.calendar ?? [];
  const ofDay = entries.filter(
    (one) => one.start_time.slice(0, 10) <= shown.date && one.end_time.slice(0, 10) >= shown.date,
  );
  const { resources, shown: taken } = lines(ofDay, new Set(data?.clashes.flatMap((one) => one.ids)));
  const showClash = (ids: readonly number[]) => {
    const starts = entries.filter((one) => ids.includes(one.id)).map((one) => one.start_time.slice(0, 10));
    setShown({ ...shown, date: starts.toSorted().at(-1) ?? shown.date });
    if (!map) setSearch({ tab: 'map' });
  };
  const common = {
    view,
    date: shown.date,
    onChange: (to: { view: CalendarView; date: string }) => setShown({ ...to, view: map ? shown.view : to.view }),
    onOpen: (id: string) => void navigate(`/activity/detail/${id.split(':')[0]}`),
  };
  return (
    <section className="kit-list" aria-label="活动看板">
      <h1>活动看板</h1>
      <CategoryTabs
        categories={Object.entries(tabs).map(([value, label]) => ({ value, label }))}
        value={tab}
        onChange={(next) => setSearch({ tab: next })}
      />
      {error && !data && tab !== 'figures' && <FailedState error={error} retry={() => void refetch()} />}
      {/* Clashes stand above the calendar and load together with it, so that nothing moves. */}
      {tab !== 'figures' && !data && !error && <Skeleton active className="kit-panel" paragraph={{ rows: 12 }} />}
      {tab !== 'figures' && data && data.clashes.length > 0 && (
        <Alert
          type="error"
          showIcon
          title={`有 ${data.clashes.length} 处冲突`}
          description={data.clashes.slice(0, 8).map((one) => (
            <div key={one.says}>
              <Button type="link" className="activity-clash" onClick={() => showClash(one.ids)}>
                {one.says}
              </Button>
            </div>
          ))}
        />
      )}
      {tab === 'calendar' && data && (
        <Calendar
          {...common}
          label="活动日历"
          views={['month', 'week', 'list']}
          entries={entries.map((one) => ({
            id: String(one.id),
            title: `${one.title} · ${typeText(one.type_id)}${one.place ? ` · ${one.place}` : ''}`,
            start: one.start_time,
            end: one.end_time,
            look: one.held ? 'striped' : (looks[one.activity_status] ?? 'solid'),
          }))}
        />
      )}
      {map && data && <Calendar {...common} label="冲突图" views={['line']} entries={taken} resources={resources} />}
      {tab === 'figures' && (
        <FiguresPage
          figures={activityStatistics}
          help="按活动开始时间统计已通过的活动，有实到人数的按实到"
          filters={{ dept: deptFilter }}
          summary={(all) => [
            ['活动', all.count, '场'],
            ['校内', all.in_people, '人次'],
            ['校外', all.out_people, '人次'],
            ['有校外嘉宾', all.external, '场'],
            ['急办', all.urgent, '场'],
          ]}
          to={{
            month: (row, asked) => `/activity/list?category=all&${daysOf(row.key, asked)}`,
            type: (row, { start, end }) =>
              `/activity/list?${new URLSearchParams({ category: 'all', type_id: row.key, start, end })}`,
          }}
        />
      )}
    </section>
  );
}
