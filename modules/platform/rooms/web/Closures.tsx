import { App, Drawer, Skeleton } from 'antd';
import type { BodyOf } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import type { Clash } from '#modules/platform/bookings/contract.ts';
import { roomTimes } from '../contract/looks.ts';
import type { RoomRow } from '../contract/rooms.ts';
import { DoorPanel } from './DoorPanel.tsx';

/** Future closed times of a room, a form to close it, and its door screen. */
export function Closures({ room, onClose }: { room: RoomRow; onClose: () => void }) {
  const narrow = useNarrow();
  const { modal } = App.useApp();
  const forcing = useSend(roomTimes.close, { onSuccess: () => refetch() });
  const { data, error, isPending, refetch } = useCall(roomTimes.blackouts, { query: { room_id: room.id } });
  return (
    <Drawer open onClose={onClose} title={`“${room.name}”的停用与门牌`} size={narrow ? '100%' : 480}>
      <div className="kit-stack">
        <CallForm
          name={`meet-closing:${room.id}`}
          call={roomTimes.close}
          also={{ room_id: room.id }}
          submit="停用"
          onDone={() => void refetch()}
          onRefused={({ code, data: about, message }, body) => {
            const { can_force: can, clashes } = (about ?? {}) as { can_force?: boolean; clashes?: Clash[] };
            if (code !== codes.conflict || !can) return;
            modal.confirm({
              title: `仍要停用，并改派或取消已有的 ${clashes?.length ?? 0} 次安排`,
              content: message,
              okText: '停用并改派',
              okButtonProps: { danger: true },
              cancelText: '不停用',
              onOk: () =>
                forcing
                  .mutateAsync({ body: { ...(body as BodyOf<typeof roomTimes.close>), force: true } })
                  .catch(() => undefined),
            });
          }}
          fields={[
            { name: 'start_time', kind: 'datetime-local' },
            { name: 'end_time', kind: 'datetime-local', notBefore: 'start_time' },
            { name: 'reason', placeholder: '例如：设备检修' },
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
        <DoorPanel room={room} />
      </div>
    </Drawer>
  );
}
