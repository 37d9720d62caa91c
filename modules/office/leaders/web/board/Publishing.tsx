import { App, Button, Checkbox, Tag } from 'antd';
import { useState } from 'react';
import { useSend } from '#kernel/web/calls.ts';
import { leaders } from '../../contract.ts';
import type { Board } from '../../contract/board.ts';

/** Checks before publishing a week, and the button that publishes it. */
export function Publishing({ board, date }: { board: Board; date: string }) {
  const { modal, message } = App.useApp();
  const [sms, setSms] = useState(false);
  const version = board.published?.version ?? 0;
  const sending = useSend(leaders.publish, {
    onSuccess: (reply) => void message.success(`一周安排已发布，第 ${reply.version} 版`),
  });
  const total = board.entries.filter((one) => !one.cancelled).length;
  const ask = () =>
    modal.confirm({
      title: `发布 ${date} 的一周安排（第 ${version + 1} 版）`,
      content: `共 ${total} 项${board.clashes > 0 ? `，其中 ${board.clashes} 项时间冲突` : ''}${board.pending > 0 ? `；${board.pending} 项还在审批，不在其中` : ''}。发布后各单位负责人收到消息，之后的改动会标出。`,
      okText: '发布',
      cancelText: '再看看',
      focusable: { autoFocusButton: 'cancel' },
      onOk: () =>
        sending.mutateAsync({ body: { date, version, force: board.clashes > 0, sms } }).catch(() => undefined),
    });
  return (
    <>
      {board.clashes > 0 && <Tag color="error">冲突 {board.clashes}</Tag>}
      {board.pending > 0 && <Tag>待审 {board.pending}</Tag>}
      <Checkbox checked={sms} onChange={(event) => setSms(event.target.checked)}>
        短信通知
      </Checkbox>
      <Button type="primary" loading={sending.isPending} onClick={ask}>
        {version > 0 ? '重新发布' : '发布'}
      </Button>
    </>
  );
}
