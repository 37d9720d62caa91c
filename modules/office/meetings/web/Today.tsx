import { Skeleton, Tag } from 'antd';
import { Link } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { useCodesAt } from '#kernel/web/kit/permission.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { meetStatus, replyState } from '../contract/codes.ts';
import { meetCalls as calls } from '../contract/meetings.ts';
import { MeetState, whereOf } from './columns.tsx';
import { SignButton } from './one/Reply.tsx';

/** My meetings of today. */
export default function Today() {
  const codesAt = useCodesAt();
  const { data, error, refetch } = useCall(calls.attend, { query: { when: 'today', per_page: 10 } }, { meta: live });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  const book = codesAt('/meet/list').includes('Create') && <Link to="/meet/book">预约会议</Link>;
  if (data.value.length === 0)
    return (
      <>
        <p className="kit-muted">今天没有要参加的会议</p>
        {book}
      </>
    );
  return (
    <>
      <ul className="kit-lines">
        {data.value.map((row) => (
          <li key={row.id}>
            <span className="kit-figures">
              {row.start_time?.slice(11, 16)}–{row.end_time?.slice(11, 16)}
            </span>
            <Link to={`/meet/detail/${row.id}`}>{row.title}</Link>
            <span className="kit-muted">{whereOf(row)}</span>
            <span className="kit-grow" />
            <SignButton row={row} />
            {row.meet_status > meetStatus.coming ? (
              <MeetState row={row} />
            ) : (
              <Tag>{row.mine.reply === replyState.none ? '待回复' : '已回复'}</Tag>
            )}
          </li>
        ))}
      </ul>
      {book}
    </>
  );
}
