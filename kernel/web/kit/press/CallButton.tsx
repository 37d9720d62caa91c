import { App, Button } from 'antd';
import type { ButtonProps } from 'antd';
import type { ReactNode } from 'react';
import { messageOf, type Asked, type Calls, type PermissionCode, type ReplyOf } from '#kernel/contract/call.ts';
import { useSend } from '../../calls.ts';
import { usePermission } from '../permission.tsx';

type AnyCall = Calls[string];

/** The properties of a button that an action may choose. */
export type Look = Pick<ButtonProps, 'type' | 'size' | 'icon' | 'danger' | 'ghost' | 'disabled' | 'title'>;

export interface CallButtonProps<C extends AnyCall> extends Look {
  call: C;
  asked: Asked<C>;
  children: ReactNode;
  /** Code that shows the button; the call's own grant unless given, `null` for none. */
  code?: PermissionCode | null;
  /** True if the record allows the action now. */
  allowed?: boolean;
  /** Asked before sending; name what will be lost and how many. */
  confirm?: { title: string; content?: ReactNode };
  invalidates?: readonly string[];
  /** Message shown on success, or a function of the reply; the call's own message unless given. */
  done?: string | ((reply: ReplyOf<C>) => string);
  onDone?: (reply: ReplyOf<C>) => void;
}

/** A button that sends a call. It is absent, not just disabled, without the grant for this page. */
export function CallButton<C extends AnyCall>(props: CallButtonProps<C>) {
  const { call, asked, children, code: given, allowed, confirm, invalidates, done, onDone, ...look } = props;
  const may = usePermission();
  const { modal, message } = App.useApp();
  const sending = useSend(call, {
    invalidates,
    onSuccess: (reply) => {
      void message.success((typeof done === 'function' ? done(reply) : done) ?? messageOf(call, reply) ?? '操作成功');
      onDone?.(reply);
    },
  });
  const code = given === undefined ? grantedCode(call) : given;
  if ((code && !may(code)) || allowed === false) return null;
  const go = () => sending.mutateAsync(asked).catch(() => undefined);
  const act = () => {
    if (!confirm) return void go();
    modal.confirm({
      title: confirm.title,
      content: confirm.content,
      okText: children,
      okButtonProps: { danger: look.danger },
      cancelText: '取消',
      focusable: { autoFocusButton: 'cancel' },
      onOk: go,
    });
  };
  return (
    <Button {...look} loading={sending.isPending} onClick={act}>
      {children}
    </Button>
  );
}

/** Shows its children only with a code on this page. */
export function WithCode({ code, children }: { code: PermissionCode; children: ReactNode }) {
  return usePermission()(code) ? children : null;
}

/** The code that a call's own grant requires. */
export function grantedCode(call: AnyCall): PermissionCode | null {
  return call.access.kind === 'grant' ? call.access.code : null;
}
