import { DownOutlined } from '@ant-design/icons';
import { Button, Popover } from 'antd';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';

/** As many buttons a row shows; the rest stand behind 更多. A menu of the row's own is none of them. */
const most = 2;

/** What can be done with a row: two buttons of what is given, which alone knows how many are allowed, and the rest behind 更多. */
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
