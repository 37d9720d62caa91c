import { Drawer, Table, Tag } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { defaultPerPage } from '#kernel/contract/shapes.ts';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { minuteOf } from '#kernel/web/kit/show/Moment.tsx';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { paged } from '#kernel/web/kit/list/Pager.tsx';
import { outcomeNames, scheduleCalls, ScheduleRun } from '../../contract/schedules.ts';
import { outcomeColors } from './outcomes.ts';

interface Props {
  schedule: { id: number; name: string };
  onClose: () => void;
}

/** The results of a schedule's dates; failed ones can be begun after all, or dismissed. */
export function RunsDrawer({ schedule, onClose }: Props) {
  const narrow = useNarrow();
  const [page, setPage] = useState(1);
  const asked = { params: { id: schedule.id }, query: { page } };
  const { data, error, isPending, refetch } = useCall(scheduleCalls.runs, asked);
  return (
    <Drawer open title={`“${schedule.name}”的各次结果`} size={narrow ? '100%' : 760} onClose={onClose}>
      {error && !data ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : (
        <Table<ScheduleRun>
          rowKey="id"
          size="small"
          loading={isPending}
          dataSource={data?.value ?? []}
          pagination={paged(defaultPerPage, { current: page, total: data?.total ?? 0, onChange: setPage })}
          scroll={{ x: 'max-content' }}
          locale={{ emptyText: <EmptyState why="还没有到过时间" /> }}
          columns={[
            ...tableColumns(ScheduleRun, {
              due_at: { render: (row) => minuteOf(row.due_at) },
              outcome: {
                render: (row) => (
                  <>
                    <Tag color={outcomeColors[row.outcome]}>{outcomeNames[row.outcome]}</Tag>
                    {row.ticket_id !== null && <Link to={`/ticket/detail/${row.ticket_id}`}>查看工单</Link>}
                  </>
                ),
              },
              message: {
                render: (row) =>
                  [
                    row.message,
                    row.missed > 0 ? `之前还有 ${row.missed} 次没有发起` : '',
                    row.handled_at ? `${row.handled_by || '系统'} ${minuteOf(row.handled_at)} 已处理` : '',
                  ]
                    .filter(Boolean)
                    .join('；'),
              },
            }),
            {
              key: 'act',
              title: '操作',
              render: (_value, row) => (
                <div className="kit-row">
                  <CallButton
                    call={scheduleCalls.again}
                    asked={{ params: { id: row.id } }}
                    allowed={row.actions.includes('again')}
                    size="small"
                  >
                    补发
                  </CallButton>
                  <CallButton
                    call={scheduleCalls.dismiss}
                    asked={{ params: { id: row.id } }}
                    allowed={row.actions.includes('dismiss')}
                    size="small"
                  >
                    不再补发
                  </CallButton>
                </div>
              ),
            },
          ]}
        />
      )}
    </Drawer>
  );
}
