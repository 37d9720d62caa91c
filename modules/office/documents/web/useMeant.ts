import { App } from 'antd';
import { useState } from 'react';
import { codes } from '#kernel/contract/refusal.ts';
import type { CallFailed } from '#kernel/web/failure.ts';

/**
 * Asks for confirmation after a refusal that allows it: a report that seems to ask for something, or a letter registered before; the next
 * sending carries the confirmation.
 */
export function useMeant() {
  const { modal } = App.useApp();
  const [force, setForce] = useState(false);
  const onRefused = (failure: CallFailed) => {
    if (failure.code !== codes.conflict) return;
    modal.confirm({
      title: '请确认',
      content: `${failure.message}。确认无误的，确认之后请再提交一次。`,
      okText: '确认无误',
      cancelText: '返回修改',
      onOk: () => setForce(true),
    });
  };
  return { force, onRefused };
}
