import { Button } from 'antd';
import { useState } from 'react';
import type { Row } from '../../../contract/shapes.ts';
import { BatchDrawer, type BatchAction } from './BatchDrawer.tsx';

/** Actions on all chosen to-dos at once. */
export function BatchBar({ rows, clear }: { rows: readonly Row[]; clear: () => void }) {
  const [action, setAction] = useState<BatchAction | null>(null);
  return (
    <>
      <Button type="primary" onClick={() => setAction('agree')}>
        批量同意
      </Button>
      <Button danger onClick={() => setAction('refuse')}>
        批量拒绝
      </Button>
      <Button onClick={() => setAction('deliver')}>批量转交</Button>
      {action && (
        <BatchDrawer
          action={action}
          rows={rows}
          onClose={(decided) => {
            setAction(null);
            if (decided) clear();
          }}
        />
      )}
    </>
  );
}
