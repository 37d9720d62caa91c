import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { choiceFilter, FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { offices } from '#modules/rooms/contract/offices.ts';
import { meetStatistics } from '../contract/statistics.ts';

/** 会议统计: how rooms are used and when, and who came. */
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
        ['会议（次）', count],
        ['时长（小时）', hours],
        ['未到场（次）', released],
        ['到会率', present === null ? '—' : `${present}%`],
      ]}
      nameOf={{ room: (row) => <Link to={`/meet/day?room=${row.key}`}>{row.name}</Link> }}
    />
  );
}
