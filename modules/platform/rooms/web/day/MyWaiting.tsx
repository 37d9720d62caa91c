import { Button, Tag } from 'antd';
import { useNavigate } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { applyPath } from '../../contract/looks.ts';
import { waiting } from '../../contract/waiting.ts';

/** My entries on waiting lists; hidden if there are none. */
export function MyWaiting() {
  const navigate = useNavigate();
  const { data } = useCall(waiting.list, {}, { meta: live });
  if (!data || data.value.length === 0) return null;
  return (
    <section className="kit-panel kit-stack" aria-label="我的候补">
      <strong>我的候补</strong>
      {data.value.map((row) => (
        <div key={row.id} className="kit-row">
          <span className="kit-grow">
            {row.name} {row.start_time.slice(0, 16)}–{row.end_time.slice(11, 16)}{' '}
            {row.offered_room ? (
              <Tag color="success">
                {row.offered_name}为您保留到 {row.offered_until?.slice(11, 16)}
              </Tag>
            ) : row.missed ? (
              <Tag>保留已过期</Tag>
            ) : (
              <Tag color="processing">{row.before > 0 ? `前面还有 ${row.before} 人` : '排在第一位'}</Tag>
            )}
          </span>
          {row.offered_room && (
            <Button
              type="primary"
              size="small"
              onClick={() => void navigate(applyPath({ ...row, room_id: row.offered_room! }))}
            >
              填写会议申请
            </Button>
          )}
          <CallButton call={waiting.leave} asked={{ params: { id: row.id } }} size="small">
            {row.missed ? '清除' : '取消候补'}
          </CallButton>
        </div>
      ))}
    </section>
  );
}
