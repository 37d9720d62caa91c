import { Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Row } from '../../contract/shapes.ts';
import { BatchBar } from './batch/BatchBar.tsx';
import { BatchDrawer, inBatch } from './batch/BatchDrawer.tsx';
import { useDeciding } from './batch/useDeciding.tsx';
import { Beside } from './beside/Beside.tsx';
import { TicketList } from './TicketList.tsx';

export default function DutyPage() {
  const decide = useDeciding();
  const [refused, setRefused] = useState<Row | null>(null);
  return (
    <>
      <TicketList
        name="ticket/duty"
        title="我的待办"
        tabs={[['duty', '我的待办']]}
        batch={(rows, clear) => <BatchBar rows={rows} clear={clear} />}
        choosable={inBatch}
        hoverActions={(row) =>
          inBatch(row) &&
          row.record_path === null && (
            <>
              <Button
                size="small"
                type="primary"
                data-decides="a"
                onClick={() => void decide([row], { action: 'agree', suggestion: '' })}
              >
                同意
              </Button>
              <Button size="small" danger data-decides="r" onClick={() => setRefused(row)}>
                拒绝
              </Button>
            </>
          )
        }
        preview={(row) => <Beside key={row.id} row={row} />}
        empty={{ why: '现在没有等您处理的工单', next: <Link to="/index">返回首页</Link> }}
      />
      {refused && <BatchDrawer action="refuse" rows={[refused]} onClose={() => setRefused(null)} />}
    </>
  );
}
