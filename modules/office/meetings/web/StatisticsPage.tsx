import { useCall } from '#kernel/web/calls.ts';
import { daysOf } from '#kernel/web/kit/figures/days.ts';
import { choiceFilter, FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { offices } from '#modules/platform/rooms/contract/offices.ts';
import { meetStatistics } from '../contract/statistics.ts';

/** 会议统计: use of rooms by hour, and attendance. */
export default function StatisticsPage() {
  const { data } = useCall(offices.choice, {});
  const known = data?.value ?? [];
  const rooms = known.flatMap((office) => office.rooms.map(({ value, label }) => ({ value, label })));
  return (
    <FiguresPage
      figures={meetStatistics}
      help="按会议开始时间统计已通过的会议；未到场指须到场确认的会议室无人到场、自动释放"
      filters={{ office: choiceFilter('会务单位', known), room: choiceFilter('会议室', rooms) }}
      summary={({ count, hours, released, present }) => [
        ['会议', count, '次'],
        ['时长', hours, '小时'],
        ['未到场', released, '次'],
        ['到会率', present ?? '—', '%'],
      ]}
      to={{
        room: (row) => `/meet/day?room=${row.key}`,
        type: (row, { start, end }) =>
          `/meet/manage?${new URLSearchParams({ type_id: row.key, start_from: start, start_to: end })}`,
        month: (row, asked) => `/meet/manage?${daysOf(row.key, asked, ['start_from', 'start_to'])}`,
      }}
    />
  );
}
