import { Button, Popover, Spin } from 'antd';
import { later } from '../../../later.tsx';
import { patiently } from '../../../patiently.ts';
import { Suspense } from 'react';
import type { ColumnPanelProps } from './ColumnPanel.tsx';

const ColumnPanel = later(() => patiently(() => import('./ColumnPanel.tsx')));

/** Opens the settings of the columns, which are loaded on demand. */
export function ColumnSettings(props: ColumnPanelProps) {
  const panel = (
    <Suspense fallback={<Spin />}>
      <ColumnPanel {...props} />
    </Suspense>
  );
  return (
    <Popover trigger="click" placement="bottomRight" content={panel} destroyOnHidden>
      <Button aria-haspopup="dialog">列设置</Button>
    </Popover>
  );
}
