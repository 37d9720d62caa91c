import { Skeleton } from 'antd';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { audit } from '../../contract.ts';

const barWidth = 16;
const gap = 4;
const height = 52;

/** Activity on the site: actions and refusals today, and on each of the last fourteen days. */
export default function Today() {
  const { data, error, refetch } = useCall(audit.trend, {});
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 2 }} />;
  const days = data.value;
  const today = days.at(-1);
  const most = Math.max(1, ...days.map((day) => day.done + day.refused));
  const scaled = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * height));
  const told = days.map((day) => `${day.day.slice(5)} 操作 ${day.done}，被拒绝 ${day.refused}`);
  return (
    <div className="home-health">
      <dl>
        <dt>今日操作</dt>
        <dd>
          <Link to="/system/log">{today?.done ?? 0}</Link>
        </dd>
      </dl>
      <dl>
        <dt>今日被拒绝</dt>
        <dd>
          <Link to="/system/log?result=denied">{today?.refused ?? 0}</Link>
        </dd>
      </dl>
      <svg
        role="img"
        aria-label={`近两周每日操作：${told.join('；')}`}
        viewBox={`0 0 ${days.length * (barWidth + gap)} ${height}`}
        preserveAspectRatio="none"
      >
        <rect y={height - 1} width="100%" height={1} fill="var(--c-line)" />
        {days.map((day, at) => (
          <g key={day.day}>
            <title>{told[at]}</title>
            <rect
              x={at * (barWidth + gap)}
              y={height - scaled(day.done)}
              width={barWidth}
              height={scaled(day.done)}
              fill="var(--c-primary)"
            />
            <rect
              x={at * (barWidth + gap)}
              y={height - scaled(day.done) - scaled(day.refused)}
              width={barWidth}
              height={scaled(day.refused)}
              fill="var(--c-error)"
            />
          </g>
        ))}
      </svg>
      <span className="kit-muted">近两周</span>
    </div>
  );
}
