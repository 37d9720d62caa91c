import { App, Drawer } from 'antd';
import { useState, type ReactNode } from 'react';
import type { Calls } from '#kernel/contract/call.ts';
import { useNarrow } from '../narrow.ts';
import { CallForm } from './CallForm.tsx';
import type { CallFormProps } from './CallForm.tsx';

/** The maximum number of fields in a drawer; longer forms are pages. */
export const drawerFields = 8;

/** A short form in a drawer; closing it with changes asks once. A different `name` is a different form. */
export function FormDrawer<C extends Calls[string]>({
  title,
  open,
  onClose,
  choice,
  children,
  ...form
}: Omit<CallFormProps<C>, 'onCancel' | 'onDirty'> & {
  title: string;
  open: boolean;
  onClose: () => void;
  /** A choice that determines the initial values, shown before the form in a wider drawer. */
  choice?: ReactNode;
  /** Shown above the form: the choice that was made. */
  children?: ReactNode;
}) {
  const { modal } = App.useApp();
  const narrow = useNarrow();
  const [dirty, setDirty] = useState(false);
  const close = () => {
    if (!dirty) return onClose();
    modal.confirm({
      title: '内容尚未提交',
      content: '离开后可从草稿恢复',
      okText: '离开',
      cancelText: '继续填写',
      onOk: () => {
        setDirty(false);
        onClose();
      },
    });
  };
  const filled = (
    <CallForm<C>
      key={form.name}
      {...(form as CallFormProps<C>)}
      onDirty={setDirty}
      onCancel={close}
      onDone={(reply) => {
        setDirty(false);
        form.onDone(reply);
        onClose();
      }}
    />
  );
  const size = narrow ? '100%' : choice ? 'min(1160px, 96vw)' : 480;
  return (
    <Drawer title={title} open={open} onClose={close} size={size} destroyOnHidden>
      {choice ? (
        <div className="kit-drawer-choice">
          {choice}
          <div className="kit-stack">
            {children}
            {filled}
          </div>
        </div>
      ) : (
        filled
      )}
    </Drawer>
  );
}
