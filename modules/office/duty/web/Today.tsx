import { Skeleton, Tag } from 'antd';
import { Link } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { dutyCalls, type Shift } from '../contract.ts';
import { dutyPost, shiftState, spanText } from '../contract/codes.ts';
import { linkTo, phoneLink } from './parts.tsx';

const Line = ({ shift, mark }: { shift: Shift; mark?: string }) => (
  <li>
    <span className="kit-figures">{spanText(shift, shortDate)}</span>
    <Link to={linkTo(shift)}>{shift.name}</Link>
    <span>{shift.people.map((one) => `${one.alias}（${dutyPost.label(one.post)}）`).join('、') || '缺人'}</span>
    <span className="kit-grow" />
    {phoneLink(shift.phone)}
    {mark && <Tag color={shift.state === shiftState.ahead && mark !== '接下来' ? 'warning' : undefined}>{mark}</Tag>}
  </li>
);

/** The people on duty now with the number to call, the next ones, and my own next shifts. */
export default function Today() {
  const { data, error, refetch } = useCall(dutyCalls.today, {}, { meta: live });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  const mine = data.mine.filter((one) => ![...data.now, ...data.next].some((other) => other.id === one.id)).slice(0, 2);
  if (data.now.length + data.next.length + mine.length === 0) return <p className="kit-muted">还没有发布值班安排</p>;
  return (
    <ul className="kit-lines">
      {data.now.map((one) => (
        <Line key={one.id} shift={one} mark={shiftState.label(one.state)} />
      ))}
      {data.next.map((one) => (
        <Line key={one.id} shift={one} mark="接下来" />
      ))}
      {mine.map((one) => (
        <Line key={one.id} shift={one} mark="我的" />
      ))}
    </ul>
  );
}
