import { useState } from 'react';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { audit, type LogRow } from '../contract.ts';
import { logName, logNames } from '../contract/log-names.ts';
import { LogDrawer, personText, ResultTag } from './LogDrawer.tsx';

const moduleOptions = Object.entries(logNames).map(([value, label]) => ({ value, label }));

const filters = [
  { key: 'module', label: '模块', kind: 'select' as const, options: moduleOptions, often: true },
  { key: 'created_from', label: '开始日期', kind: 'date' as const, often: true },
  { key: 'created_to', label: '结束日期', kind: 'date' as const, often: true },
  { key: 'user', label: '用户名', kind: 'text' as const },
  { key: 'action', label: '操作', kind: 'text' as const },
  { key: 'ip', label: 'IP 地址', kind: 'text' as const },
  {
    key: 'result',
    label: '结果',
    kind: 'select' as const,
    options: [
      { value: 'ok', label: '成功' },
      { value: 'denied', label: '被拒绝' },
    ],
  },
];

/** The operation log: who did what, when and from where. */
export default function LogList() {
  const [open, setOpen] = useState<LogRow | null>(null);
  return (
    <>
      <ListPage<LogRow>
        card={['result', 'username', 'gmt_created']}
        name="system/log"
        title="操作日志"
        purpose="每一项改动和每一次被拒绝的访问，记录后不可修改"
        call={audit.list}
        filters={filters}
        columns={[
          {
            key: 'gmt_created',
            title: '时间',
            width: 140,
            sort: true,
            render: (row) => <Moment at={row.gmt_created} />,
          },
          { key: 'action', title: '操作', main: true, width: 190 },
          { key: 'title', title: '内容', width: 220 },
          { key: 'username', title: '用户', width: 150, render: personText },
          { key: 'module', title: '模块', width: 120, render: (row) => logName(row.module) },
          { key: 'result', title: '结果', width: 90, render: (row) => <ResultTag code={row.result} /> },
          { key: 'ip', title: 'IP 地址', width: 140 },
          { key: 'ms', title: '毫秒', width: 90, number: true, sort: true, hidden: true },
          { key: 'path', title: '接口', width: 260, hidden: true },
        ]}
        onOpen={setOpen}
        primary={
          <CallButton
            call={audit.clear}
            asked={{}}
            danger
            confirm={{ title: '清除到期的操作日志', content: '超过保留期的记录将清空内容且无法恢复，请先导出存档' }}
          >
            清除到期日志
          </CallButton>
        }
        batch={(rows, clear) => (
          <CallButton
            call={audit.remove}
            asked={{ params: { ids: rows.map((row) => row.id).join(',') } }}
            danger
            confirm={{ title: `清除所选 ${rows.length} 条操作日志`, content: '清除后无法恢复，请先导出存档' }}
            onDone={clear}
          >
            清除
          </CallButton>
        )}
        empty={{ why: '还没有操作记录' }}
      />
      <LogDrawer row={open} onClose={() => setOpen(null)} />
    </>
  );
}
