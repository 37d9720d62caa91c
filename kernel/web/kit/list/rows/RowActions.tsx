import { DownOutlined } from '@ant-design/icons';
import { Button, Popover } from 'antd';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';

/** The number of buttons in a row; the others are in 更多. A menu of the row's own does not count. */
const most = 2;

/** The actions of a row: the first two allowed buttons, and the others in 更多. Only the buttons themselves know whether they are allowed. */
export function RowActions({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [many, setMany] = useState(false);
  useLayoutEffect(
    () => setMany((box.current?.querySelectorAll('.ant-btn:not(.ant-dropdown-trigger)').length ?? 0) > most),
    [children],
  );
  return (
    <div className={many ? 'kit-row-actions kit-row-first' : 'kit-row-actions'}>
      <div ref={box}>{children}</div>
      {many && (
        <Popover trigger="click" placement="bottomRight" content={<div className="kit-row-rest">{children}</div>}>
          <Button size="small" aria-haspopup="dialog" aria-label="更多操作">
            更多 <DownOutlined aria-hidden="true" />
          </Button>
        </Popover>
      )}
    </div>
  );
}
