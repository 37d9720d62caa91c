import { useState } from 'react';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { channels, deliveries, deliveryStates, type DeliveryRow } from '../contract.ts';
import { DeliveryDrawer } from './DeliveryDrawer.tsx';
import { FailedJobs } from './FailedJobs.tsx';
import { QuietCopy } from './QuietCopy.tsx';
import { ResendButton } from './ResendButton.tsx';
import { Answer } from './Answer.tsx';
import { StateTag } from './StateTag.tsx';

const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));

const filters = [
  { key: 'channel', kind: 'select' as const, options: optionsOf(channels), often: true },
  { key: 'state', kind: 'select' as const, options: optionsOf(deliveryStates), often: true },
  { key: 'stuck', kind: 'select' as const, options: [{ value: '1', label: '只看滞留' }], often: true },
  { key: 'created_from', kind: 'date' as const },
  { key: 'created_to', kind: 'date' as const },
];

/** Sent and stuck deliveries. */
export default function DeliveryList() {
  const [open, setOpen] = useState<DeliveryRow | null>(null);
  return (
    <div className="kit-stack">
      <QuietCopy />
      <FailedJobs />
      <ListPage<DeliveryRow>
        card={['state', 'channel', 'gmt_created']}
        name="system/delivery"
        title="投递日志"
        purpose="发往外部的短信、邮件、网络回调与群机器人消息，失败的自动重试"
        call={deliveries.list}
        filters={filters}
        columns={listColumns(rowOf(deliveries.list), {
          title: { main: true, width: 240 },
          channel: { width: 90 },
          target: { width: 170 },
          user_name: { width: 90 },
          state: { width: 120, render: (row) => <StateTag row={row} /> },
          tries: { width: 80, hidden: true },
          answer: { width: 170, render: ({ answer }) => (answer ? <Answer words={answer} /> : '—') },
          gmt_created: { width: 140 },
          due_at: { width: 160, sort: true, hidden: true },
          sent_at: { width: 160, hidden: true },
          key: { width: 220, hidden: true },
        })}
        onOpen={setOpen}
        rowActions={(row) => <ResendButton row={row} />}
        empty={{ why: '还没有向外投递过' }}
      />
      <DeliveryDrawer row={open} onClose={() => setOpen(null)} />
    </div>
  );
}
