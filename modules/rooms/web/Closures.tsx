import { Drawer, Skeleton } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/CallButton.tsx';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { roomTimes } from '../contract/looks.ts';

/** When a room is closed from now on, and a form to close it for a time. */
export function Closures({ room, onClose }: { room: { id: number; name: string }; onClose: () => void }) {
  const narrow = useNarrow();
  const { data, error, isPending, refetch } = useCall(roomTimes.blackouts, { query: { room_id: room.id } });
  return (
    <Drawer open onClose={onClose} title={`“${room.name}”的停用时段`} size={narrow ? '100%' : 480}>
      <div className="kit-stack">
        <CallForm
          name={`meet-closing:${room.id}`}
          call={roomTimes.close}
          also={{ room_id: room.id }}
          submit="停用"
          onDone={() => void refetch()}
          fields={[
            { name: 'start_time', label: '开始时间', kind: 'datetime-local' },
            { name: 'end_time', label: '结束时间', kind: 'datetime-local', notBefore: 'start_time' },
            { name: 'reason', label: '原因', placeholder: '例如：设备检修' },
          ]}
        />
        {error && !data ? (
          <FailedState error={error} retry={() => void refetch()} />
        ) : isPending ? (
          <Skeleton active />
        ) : data?.value.length === 0 ? (
          <EmptyState why="之后没有停用安排" />
        ) : (
          <ul className="kit-stack" aria-label="停用时段">
            {data?.value.map((row) => (
              <li key={row.id} className="kit-row">
                <span>
                  {row.start_time.slice(0, 16)} 至 {row.end_time.slice(0, 16)} · {row.reason}
                  <span className="kit-muted">（{row.creator_name}）</span>
                </span>
                <CallButton
                  call={roomTimes.open}
                  asked={{ params: { id: row.id } }}
                  size="small"
                  confirm={{ title: `取消“${row.reason}”`, content: '这段时间重新开放预约' }}
                >
                  取消停用
                </CallButton>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Drawer>
  );
}
