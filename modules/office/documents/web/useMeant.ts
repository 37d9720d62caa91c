import { App } from 'antd';
import { useState } from 'react';
import { codes } from '#kernel/contract/refusal.ts';
import type { CallFailed } from '#kernel/web/failure.ts';

/** Asks whether what a refusal questions is meant: a report that seems to ask for something, a letter entered before; what is sent after that says so. */
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
