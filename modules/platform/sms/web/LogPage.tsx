import { Button, Tag, Tooltip } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { sms } from '../contract.ts';
import { smsModule, smsState } from '../contract/labels.ts';
import type { Log } from '../contract/logs.ts';
import { moduleOptions, stateOptions, withdrawnSays } from './labels.ts';
import { StatisticsDrawer } from './StatisticsDrawer.tsx';
import { OptOutDrawer } from './OptOutDrawer.tsx';

/** Sent messages with recipients and results. */
export default function LogPage() {
  const [open, setOpen] = useState<'optouts' | 'statistics' | null>(null);
  const { data: senders = [] } = useCall(sms.senders, {});
  return (
    <>
      <ListPage<Log>
        card={['state', 'name', 'gmt_created']}
        name="sms/logs"
        title="短信日志"
        purpose="每个号码一行，号码只显示后四位"
        call={sms.logs}
        columns={listColumns(rowOf(sms.logs), {
          content: { main: true, width: 220 },
          name: { width: 84 },
          mobile: { width: 80 },
          state: { width: 84, render: (row) => <State row={row} /> },
          segments: { width: 64 },
          type: { width: 84 },
          sender_name: { width: 84 },
          gmt_created: { sort: true, width: 134 },
          dept_name: { hidden: true },
          module: { hidden: true, render: (row) => smsModule(row.module) },
          template_name: { hidden: true },
          retry: { hidden: true },
          receipt_time: { width: 134 },
        })}
        filters={[
          { key: 'state', kind: 'select', options: stateOptions, often: true },
          { key: 'mobile', kind: 'text', often: true },
          { key: 'module', kind: 'select', options: moduleOptions },
          {
            key: 'sender',
            kind: 'select',
            often: true,
            options: senders.map(({ id, name }) => ({ value: String(id), label: name })),
          },
          { key: 'start', kind: 'date' },
          { key: 'end', kind: 'date' },
        ]}
        primary={
          <div className="kit-row">
            <Button onClick={() => setOpen('statistics')}>配额与统计</Button>
            <Button onClick={() => setOpen('optouts')}>退订名单</Button>
          </div>
        }
        acts={(row) => row.actions.length > 0}
        rowActions={(row) => (
          <>
            <CallButton
              call={sms.resend}
              asked={{ params: { id: row.id } }}
              allowed={row.actions.includes('resend')}
              size="small"
              confirm={{ title: `重发给 ${row.name || row.mobile}`, content: `计 ${row.segments} 条，从您的额度扣除` }}
            >
              重发
            </CallButton>
            <CallButton
              call={sms.withdraw}
              asked={{ params: { id: row.batch_id } }}
              code={null}
              allowed={row.actions.includes('withdraw')}
              danger
              size="small"
              done={withdrawnSays}
              confirm={{
                title: '撤销整批短信',
                content: '与这条短信同一批、尚未发出的都不会发出，撤销后不能恢复，扣除的额度退回；正在发送的不能撤销',
              }}
            >
              撤销整批
            </CallButton>
          </>
        )}
        empty={{ why: '还没有发送过短信' }}
      />
      <OptOutDrawer open={open === 'optouts'} onClose={() => setOpen(null)} />
      <StatisticsDrawer open={open === 'statistics'} onClose={() => setOpen(null)} />
    </>
  );
}

function State({ row }: { row: Log }) {
  const tag = <Tag color={smsState.tones[row.state]}>{smsState.label(row.state)}</Tag>;
  return row.provider_msg ? <Tooltip title={row.provider_msg}>{tag}</Tooltip> : tag;
}
