import { Button, Skeleton } from 'antd';
import { useParams, useSearchParams } from 'react-router';
import { dayAfter, weekdayOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { calendar } from '../../contract/calendar.ts';
import { replyState } from '../../contract/codes.ts';
import { meetCalls } from '../../contract/meetings.ts';
import { periodText } from '../../contract/refusals.ts';
import '../meetings.css';

const weekdays = ['一', '二', '三', '四', '五', '六', '日'];

/** Prints of meetings: the sign-in sheet, name cards, the meetings of a week. */
export default function PrintPage() {
  const id = Number(useParams()['id']);
  const [search] = useSearchParams();
  const week = search.get('week');
  return (
    <section className="kit-stack" aria-label="打印">
      <div className="kit-row kit-tools">
        <Button type="primary" onClick={() => window.print()}>
          打印
        </Button>
      </div>
      {week ? (
        <Week from={week} scope={search.get('scope') ?? 'all'} />
      ) : (
        <OfMeeting id={id} cards={search.has('cards')} />
      )}
    </section>
  );
}

function OfMeeting({ id, cards }: { id: number; cards: boolean }) {
  const { data, error, refetch } = useCall(meetCalls.get, { params: { id } });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active />;
  const row = data.value;
  const people = (row.attendees ?? []).map((one) => ({
    name: one.substitute_info?.alias ?? one.user_info.alias,
    dept: one.user_info.dept_name,
    note: one.substitute_info ? `代${one.user_info.alias}` : one.reply === replyState.excused ? '请假' : '',
  }));
  const all = [...people, ...row.guests.map((one) => ({ name: one.name, dept: one.org, note: '校外' }))];
  if (cards)
    return (
      <div className="meet-print meet-cards">
        {all.map((one, at) => (
          <div key={at}>{one.name}</div>
        ))}
      </div>
    );
  return (
    <div className="kit-panel meet-print">
      <h1>会议签到表</h1>
      <p>
        会议：{row.title}　时间：{periodText(row.start_time, row.end_time)}　地点：{row.room_name || row.location}
      </p>
      <table>
        <thead>
          <tr>
            {['序号', '姓名', '部门（单位）', '备注', '签名'].map((title) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {all.map((one, at) => (
            <tr key={at}>
              <td>{at + 1}</td>
              <td>{one.name}</td>
              <td>{one.dept}</td>
              <td>{one.note}</td>
              <td />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Week({ from, scope }: { from: string; scope: string }) {
  const end = dayAfter(from, 6);
  const { data, error, refetch } = useCall(calendar.calendar, { query: { start: from, end, scope: scope as 'all' } });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active />;
  return (
    <div className="kit-panel meet-print">
      <h1>
        一周会议安排（{from} 至 {end}）
      </h1>
      <table>
        <thead>
          <tr>
            {['日期', '时间', '会议', '地点', '主持人'].map((title) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.value.map((one, at) => (
            <tr key={at}>
              <td>
                {one.start_time.slice(5, 10)} 周{weekdays[weekdayOf(one.start_time) - 1]}
              </td>
              <td>
                {one.start_time.slice(11, 16)}–{one.end_time.slice(11, 16)}
              </td>
              <td>{one.title}</td>
              <td>{one.room_name}</td>
              <td>{one.host_name}</td>
            </tr>
          ))}
          {data.more && (
            <tr>
              <td colSpan={5}>会议超过 {data.value.length} 场，其后的未列出</td>
            </tr>
          )}
          {data.value.length === 0 && (
            <tr>
              <td colSpan={5}>本周没有会议</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
