import { CloseOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { BesideContext } from './beside.ts';

interface Props {
  /** Address of the row's own page. */
  to: string | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** Shows the row under the keyboard beside the list. */
export function Preview({ to, onClose, children }: Props) {
  return (
    <aside className="kit-preview kit-panel" aria-label="预览">
      <div className="kit-row">
        <span className="kit-grow kit-muted">预览</span>
        {to && (
          <Link className="kit-link" to={to}>
            打开
          </Link>
        )}
        <Button
          type="text"
          size="small"
          icon={<CloseOutlined aria-hidden="true" />}
          aria-label="关闭预览"
          onClick={onClose}
        />
      </div>
      <BesideContext value={true}>{children ?? <p className="kit-muted">用 j、k 选择一行</p>}</BesideContext>
    </aside>
  );
}

/** Presses the deciding button in the preview, or in the row under the keyboard if the preview has none; a disabled button is not bypassed. */
export function press(list: HTMLElement | null, key: 'a' | 'r'): void {
  const offered = (within: string) => list?.querySelector<HTMLButtonElement>(`${within} [data-decides="${key}"]`);
  const button = offered('.kit-preview') ?? offered('.kit-current');
  if (!button?.disabled) button?.click();
}
