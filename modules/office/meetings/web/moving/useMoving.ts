import { App } from 'antd';
import { useSend } from '#kernel/web/calls.ts';
import type { Dragged } from '#kernel/web/registry.ts';
import { meetCalls as calls } from '../../contract/meetings.ts';
import { periodText } from '../../contract/refusals.ts';

/**
 * Moves a dragged meeting after confirmation of both times, because others will be notified. Returns true if it was moved; if its room
 * needs approval, it stays until that is given.
 */
export function useMoving(): (dragged: Omit<Dragged, 'onSettled'>) => Promise<boolean> {
  const { modal } = App.useApp();
  const sending = useSend(calls.edit);
  return ({ id, title, version, was, to }) =>
    new Promise((settle) => {
      modal.confirm({
        title: `移动“${title}”`,
        content: `由 ${periodText(was.start_time, was.end_time)} 改为 ${periodText(to.start_time, to.end_time)}${to.room_id === undefined ? '' : '，并换到所选的会议室'}。已通知的人会收到变更并重新回复；会议室须审批的，批准前仍按原安排`,
        okText: '移动',
        cancelText: '不移动',
        onCancel: () => settle(false),
        onOk: async () => {
          const reply = await sending.mutateAsync({ params: { id }, body: { ...to, version } }).catch(() => null);
          settle(reply !== null && reply.change === null);
        },
      });
    });
}
