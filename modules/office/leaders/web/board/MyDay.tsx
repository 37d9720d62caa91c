import { Skeleton, Tag } from 'antd';
import { Link } from 'react-router';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { leaders } from '../../contract.ts';
import { hoursText, runStatus, timeText } from '../../contract/codes.ts';
import { Attends } from '../SchedulesPage.tsx';

/** Entries of some days on the home page: of leaders I act for, or those where I go along. */
function Entries({ category, days, none }: { category: 'side' | 'along'; days: number; none: string }) {
  const today = dayOf(new Date());
  const query = {
    category,
    start: today,
    end: dayAfter(today, days),
    order_by: 'start_time' as const,
    desc: false,
    per_page: 20,
  };
  const { data, error, refetch } = useCall(leaders.list, { query }, { meta: live });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  const rows = data.value.filter((row) => row.act_state === actState.finished && row.run_status < runStatus.cancelled);
  if (rows.length === 0) return <p className="kit-muted">{none}</p>;
  return (
    <ul className="kit-lines">
      {rows.slice(0, 8).map((row) => (
        <li key={row.id}>
          <span className="kit-figures">{days === 0 ? hoursText(row) : timeText(row, shortDate)}</span>
          <Link to={`/schedule/detail/${row.id}`}>{row.title}</Link>
          <span className="kit-muted">{row.address}</span>
          <span className="kit-grow" />
          {row.clash.length > 0 && <Tag color="error">冲突</Tag>}
          <span className="kit-muted">
            <Attends row={row} />
          </span>
        </li>
      ))}
    </ul>
  );
}

export const Today = () => <Entries category="side" days={0} none="今天没有所服务领导的日程" />;
export const Mine = () => <Entries category="along" days={6} none="七天内没有要陪同、联系的日程" />;
