import { useQueryClient } from '@tanstack/react-query';
import { App, Button } from 'antd';
import { useCallback, useSyncExternalStore } from 'react';
import type { Asked } from '#kernel/contract/call.ts';
import { putOff, undoSeconds } from '#kernel/web/putOff.ts';
import { ticketActions } from '../../../contract/actions.ts';
import type { Row } from '../../../contract/shapes.ts';

type Deciding = Asked<typeof ticketActions.batch>['body'];
export const batchNames: Readonly<Record<Deciding['action'], string>> = {
  agree: '同意',
  refuse: '拒绝',
  deliver: '转交',
};

/** Tickets that are decided and not yet sent. */
let going: ReadonlySet<number> = new Set();
const listeners = new Set<() => void>();
function setGoing(next: Iterable<number>): void {
  going = new Set(next);
  for (const listener of listeners) listener();
}
/** Tickets that are decided here already, and out of my lists until that is taken back. */
export const useGoing = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => going,
  );

/** Decides several tickets: they leave the list at once, and for some seconds come back by 撤销; then it is sent. */
export function useDeciding() {
  const { message, notification } = App.useApp();
  const client = useQueryClient();
  return useCallback(
    async (rows: readonly Pick<Row, 'id' | 'title'>[], decision: Omit<Deciding, 'ticket_ids'>) => {
      const ids = rows.map((row) => row.id);
      const name = batchNames[decision.action];
      const sending = putOff(ticketActions.batch, { body: { ...decision, ticket_ids: ids } });
      setGoing([...going, ...ids]);
      const key = `deciding-${ids.join()}`;
      void message.open({
        key,
        type: 'info',
        duration: undoSeconds,
        content: (
          <>
            {rows.length === 1 ? `${name}“${rows[0]?.title}”` : `${name} ${rows.length} 张工单`}，{undoSeconds} 秒后提交
            <Button type="link" size="small" onClick={sending.undo}>
              撤销
            </Button>
            <Button type="link" size="small" onClick={sending.now}>
              立即提交
            </Button>
          </>
        ),
      });
      const reply = await sending.done.catch(() => undefined);
      message.destroy(key);
      await client.invalidateQueries({
        predicate: ({ meta, queryKey }) => queryKey[0] === 'tickets' || !!meta?.['live'],
      });
      setGoing([...going].filter((id) => !ids.includes(id)));
      if (reply === null) void message.info('已撤销，没有提交');
      if (!reply) return;
      const failed = reply.value.filter((one) => !one.ok);
      const done = reply.value.length - failed.length;
      if (failed.length === 0) return void message.success(`已${name} ${done} 张`);
      notification.warning({
        title: `已${name} ${done} 张，${failed.length} 张未成功`,
        duration: 0,
        description: (
          <ul className="ticket-log" aria-label="未成功的工单">
            {failed.map((one) => (
              <li key={one.id}>
                {rows.find((row) => row.id === one.id)?.title}
                <p className="ticket-failed">{one.msg}</p>
              </li>
            ))}
          </ul>
        ),
      });
    },
    [client, message, notification],
  );
}
