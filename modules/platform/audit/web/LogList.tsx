import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { audit, type LogRow } from '../contract.ts';
import { LogDrawer, personText, resultTag } from './LogDrawer.tsx';

const filters = [
  { key: 'created_from', kind: 'date' as const, often: true },
  { key: 'created_to', kind: 'date' as const, often: true },
  { key: 'user', kind: 'text' as const },
  { key: 'action', kind: 'text' as const },
  { key: 'ip', kind: 'text' as const },
  {
    key: 'result',
    kind: 'select' as const,
    options: [
      { value: 'ok', label: '成功' },
      { value: 'denied', label: '被拒绝' },
    ],
  },
];

/** The operation log: actions with person, time and origin. */
export default function LogList() {
  const [open, setOpen] = useState<LogRow | null>(null);
  const { data: modules } = useCall(audit.modules, {});
  return (
    <>
      <ListPage<LogRow>
        card={['result', 'username', 'gmt_created']}
        name="system/log"
        title="操作日志"
        purpose="每一项改动和每一次被拒绝的访问，记录后不可修改"
        call={audit.list}
        filters={[{ key: 'module', kind: 'select', options: modules?.value, often: true }, ...filters]}
        columns={listColumns(rowOf(audit.list), {
          gmt_created: { width: 140, sort: true },
          action: { main: true, width: 190 },
          title: { width: 220 },
          username: { heading: '用户', width: 150, render: personText },
          module_name: { width: 120 },
          result: { width: 90, render: (row) => resultTag(row.result) },
          ip: { width: 140 },
          ms: { width: 90, sort: true, hidden: true },
          path: { width: 260, hidden: true },
        })}
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
