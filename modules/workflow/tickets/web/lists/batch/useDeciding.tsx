import { App } from 'antd';
import { useCallback } from 'react';
import type { Asked } from '#kernel/contract/call.ts';
import { useLeft, useUndoable } from '#kernel/web/kit/press/undo.tsx';
import { ticketActions } from '../../../contract/actions.ts';
import type { Row } from '../../../contract/shapes.ts';

type Deciding = Asked<typeof ticketActions.batch>['body'];
export const batchNames: Readonly<Record<Deciding['action'], string>> = {
  agree: '同意',
  refuse: '拒绝',
  deliver: '转交',
};

const list = 'ticket/duty';
/** Tickets already decided here, hidden from my lists until that is undone. */
export const useGoing = () => useLeft(list);

/** Decides several tickets: they leave the list at once, and for some seconds 撤销 brings them back; then it is sent. */
export function useDeciding() {
  const { message, notification } = App.useApp();
  const undoably = useUndoable();
  return useCallback(
    async (rows: readonly Pick<Row, 'id' | 'title'>[], decision: Omit<Deciding, 'ticket_ids'>) => {
      const ids = rows.map((row) => row.id);
      const name = batchNames[decision.action];
      const reply = await undoably(
        ticketActions.batch,
        { body: { ...decision, ticket_ids: ids } },
        {
          says: rows.length === 1 ? `${name}“${rows[0]?.title}”` : `${name} ${rows.length} 张工单`,
          leaving: { list, ids },
        },
      );
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
    [message, notification, undoably],
  );
}
