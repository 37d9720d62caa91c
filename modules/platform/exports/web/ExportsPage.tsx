import { useQueryClient } from '@tanstack/react-query';
import { Progress } from 'antd';
import { useEffect } from 'react';
import { moduleOf } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { useHeardSince } from '#kernel/web/live/heard.ts';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { exportCalls, exportStates, keptDays, type ExportRow } from '../contract.ts';

const percent = ({ rows, written }: ExportRow) => Math.floor((written / Math.max(1, rows)) * 100);

function State({ row }: { row: ExportRow }) {
  if (row.state === 'running')
    return <Progress percent={percent(row)} size="small" aria-label={`“${row.title}”已生成 ${percent(row)}%`} />;
  return row.state === 'failed' ? `${exportStates.failed}：${row.answer}` : exportStates[row.state];
}

const columns = listColumns(rowOf(exportCalls.list), {
  title: { main: true, width: 200 },
  state: { width: 220, render: (row) => <State row={row} /> },
  rows: { width: 100 },
  file: { width: 260, render: (row) => row.file && <FileLinks files={[row.file]} /> },
  gmt_created: { width: 150 },
  kept_until: { width: 150 },
});

/** One's own exports made in the background, with their progress and download. */
export default function ExportsPage() {
  const client = useQueryClient();
  const turn = useHeardSince(moduleOf(exportCalls.list), false);
  useEffect(() => {
    if (turn > 0) void client.invalidateQueries({ queryKey: [moduleOf(exportCalls.list)] });
  }, [turn, client]);
  return (
    <ListPage<ExportRow>
      card={['state', 'rows', 'kept_until']}
      name="exports"
      title="我的导出"
      purpose={`行数较多的导出在后台生成，完成后发消息告知，保留 ${keptDays} 天`}
      call={exportCalls.list}
      columns={columns}
      rowActions={(row) => (
        <CallButton
          call={exportCalls.remove}
          asked={{ params: { id: row.id } }}
          size="small"
          danger
          code={null}
          done={row.actions.includes('cancel') ? '导出已取消' : '导出已删除'}
        >
          {row.actions.includes('cancel') ? '取消导出' : '删除'}
        </CallButton>
      )}
      empty={{ why: '没有后台生成的导出' }}
    />
  );
}
