import { Button, Select, Skeleton, Table, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { releaseCalls, VersionRow } from '../../contract/release.ts';
import type { Design } from '../../contract/design.ts';
import type { z } from 'zod';
import { MigrateWizard } from '../migrate/MigrateWizard.tsx';
import type { Names } from '../names.ts';
import { CompareVersions } from './CompareVersions.tsx';
import './versions.css';

type Row = z.output<typeof VersionRow>;
const statuses = { draft: '草稿', published: '使用中', retired: '历史版本' } as const;

/** The versions of a workflow, the number of tickets on each, a comparison of two, and moving tickets. */
export function VersionsTab({ design, names }: { design: Pick<Design, 'id' | 'name'>; names: Names }) {
  const narrow = useNarrow();
  const { data, error, refetch } = useCall(releaseCalls.versions, { params: { id: design.id }, query: {} });
  const [pair, setPair] = useState<readonly [number, number] | null>(null);
  const [moving, setMoving] = useState<number | null>(null);
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active paragraph={{ rows: 4 }} />;
  const rows = data.value;
  const [newest, second] = rows;
  const [after, before] = pair ?? [newest?.no ?? 0, second?.no ?? 0];
  const options = rows.map((row) => ({ value: row.no, label: `第 ${row.no} 版（${statuses[row.status]}）` }));
  const movable = (row: Row) => row.status === 'retired' && row.running > 0;
  return (
    <div className="kit-stack">
      <Table<Row>
        rowKey="no"
        size="small"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={rows}
        locale={{ emptyText: <EmptyState why="还没有版本" /> }}
        columns={[
          ...tableColumns(VersionRow, {
            no: { number: false, render: (row) => `第 ${row.no} 版` },
            status: {
              render: (row) => (
                <Tag color={row.status === 'published' ? 'success' : 'default'}>{statuses[row.status]}</Tag>
              ),
            },
            note: {},
            published_by_alias: {},
            published_at: { render: (row) => <Moment at={row.published_at} /> },
            states: {},
            tickets: {},
            running: {},
          }),
          {
            key: 'act',
            title: '操作',
            render: (_value, row) =>
              movable(row) && (
                <WithCode code="Update">
                  <Button size="small" onClick={() => setMoving(row.no)}>
                    迁移工单
                  </Button>
                </WithCode>
              ),
          },
        ]}
      />
      {rows.length > 1 && (
        <section className="kit-stack" aria-label="版本对照">
          <div className="kit-row">
            <Select
              aria-label="旧版本"
              className="designer-half"
              options={options}
              value={before}
              onChange={(no) => setPair([after, no])}
            />
            <span>对照</span>
            <Select
              aria-label="新版本"
              className="designer-half"
              options={options}
              value={after}
              onChange={(no) => setPair([no, before])}
            />
          </div>
          <CompareVersions
            key={`${before}:${after}`}
            workflowId={design.id}
            before={before}
            after={after}
            names={names}
            height={narrow ? 240 : 380}
          />
        </section>
      )}
      {moving !== null && <MigrateWizard workflowId={design.id} fromNo={moving} onClose={() => setMoving(null)} />}
    </div>
  );
}
