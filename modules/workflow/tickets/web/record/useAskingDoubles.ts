import { App } from 'antd';
import { codes } from '#kernel/contract/refusal.ts';
import type { CallFailed } from '#kernel/web/failure.ts';

/** Asks whether a ticket is meant although another one holds the same; `again` submits it all the same. */
export function useAskingDoubles(): (failure: CallFailed, again: () => void) => void {
  const { modal } = App.useApp();
  return (failure, again) => {
    const { can_force } = (failure.data ?? {}) as { can_force?: boolean };
    if (failure.code !== codes.conflict || !can_force) return;
    modal.confirm({
      title: '可能重复提交',
      content: failure.msg,
      okText: '仍要提交',
      cancelText: '再看看',
      focusable: { autoFocusButton: 'cancel' },
      onOk: again,
    });
  };
}
