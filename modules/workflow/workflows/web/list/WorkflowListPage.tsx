import { Button, Drawer, Skeleton, Tag } from 'antd';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { onOff } from '#kernel/contract/titles.ts';
import { later } from '#kernel/web/later.tsx';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { workflows, Workflow } from '../../contract.ts';
import { designCalls } from '../../contract/design.ts';
import { useNames } from '../names.ts';
import { AddWorkflow, type Beginning } from './AddWorkflow.tsx';
import { designOf } from './addresses.ts';
import { useImport } from './import.ts';
import { RowActions } from './RowActions.tsx';

// Loaded separately, because the drawing library comes with it, which the list does not need.
const VersionsTab = later(async () => ({ default: (await import('../versions/VersionsTab.tsx')).VersionsTab }));

/** The workflows by category: new ones, copies, versions, starting and stopping, export and import. */
export default function WorkflowListPage() {
  const go = useNavigate();
  const [adding, setAdding] = useState<Beginning | null>(null);
  const [versions, setVersions] = useState<Workflow | null>(null);
  const { data: all } = useCall(workflows.list, { query: { per_page: 100 } });
  const importing = useImport((file) => setAdding({ file }));
  const switching = useSend(designCalls.change);
  const counts = new Map<string, number>();
  for (const { category } of all?.value ?? []) if (category) counts.set(category, (counts.get(category) ?? 0) + 1);
  return (
    <>
      <ListPage<Workflow>
        card={['status', 'category', 'published_version']}
        name="workflow/list"
        title="流程管理"
        purpose="流程决定一类工单填写什么、经过谁；发布后的版本不再改变，运行中的工单按原版本办完"
        call={workflows.list}
        numbered
        categories={[
          { value: '', label: '全部', ...(all && { count: all.total }) },
          ...[...counts].map(([category, count]) => ({ value: category, label: category, count })),
        ]}
        filters={[
          {
            key: 'status',
            kind: 'select',
            often: true,
            options: [
              { value: '1', label: '使用中' },
              { value: '0', label: '已停用' },
            ],
          },
        ]}
        columns={listColumns(Workflow, {
          name: { main: true, sort: true },
          category: {},
          module_name: { render: (row) => row.module_name || '工单' },
          description: {},
          published_version: {
            render: (row) => (row.published_version === null ? '未发布' : `第 ${row.published_version} 版`),
          },
          status: {
            render: (row) => (row.status === onOff.on ? <Tag color="success">使用中</Tag> : <Tag>已停用</Tag>),
          },
          key: { hidden: true },
        })}
        primary={
          <WithCode code="Create">
            <div className="kit-row">
              <Button onClick={importing.choose}>从文件导入</Button>
              <Button type="primary" onClick={() => setAdding({})}>
                新增流程
              </Button>
            </div>
          </WithCode>
        }
        to={(row) => designOf(row.id)}
        rowActions={(row) => (
          <RowActions
            row={row}
            onVersions={() => setVersions(row)}
            onCopy={() => setAdding({ copy: row })}
            onSwitch={(status) => switching.mutate({ params: { id: row.id }, body: { status } })}
          />
        )}
        empty={{
          why: '还没有流程',
          next: (
            <Button type="link" onClick={() => setAdding({})}>
              新增第一个流程
            </Button>
          ),
        }}
      />
      {importing.input}
      {adding && (
        <AddWorkflow beginning={adding} onClose={() => setAdding(null)} onAdded={(id) => void go(designOf(id))} />
      )}
      {versions && <Versions workflow={versions} onClose={() => setVersions(null)} />}
    </>
  );
}

function Versions({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  const narrow = useNarrow();
  const names = useNames(workflow.module);
  return (
    <Drawer open title={`“${workflow.name}”的版本`} size={narrow ? '100%' : 1000} onClose={onClose}>
      <Suspense fallback={<Skeleton active />}>
        <VersionsTab design={workflow} names={names} />
      </Suspense>
    </Drawer>
  );
}
