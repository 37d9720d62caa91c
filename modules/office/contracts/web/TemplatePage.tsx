import { Button, Tag } from 'antd';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { contractCategories, type ContractCategory } from '../contract/categories.ts';
import { contractTemplates, templateStatus } from '../contract/templates.ts';

const flat = (nodes: readonly ContractCategory[]): ContractCategory[] =>
  nodes.flatMap((node) => [node, ...flat(node.children)]);

/** Templates of contracts. */
export default function TemplatePage() {
  const { data: categories = [] } = useCall(contractCategories.list, { query: {} });
  return (
    <ListPage
      card={['status', 'category_name', 'version_no']}
      name="contract/template"
      title="合同模板"
      purpose="示范文本：变量由起草人填写，锁定条款改动后须法务审核"
      call={contractTemplates.templates}
      numbered
      to={(row) => `/contract/template/detail/${row.id}`}
      primary={
        <WithCode code="Create">
          <Link to="/contract/template/detail/new">
            <Button type="primary">新增模板</Button>
          </Link>
        </WithCode>
      }
      filters={[
        {
          key: 'category_id',
          kind: 'select',
          often: true,
          options: flat(categories).map((one) => ({ value: String(one.id), label: one.name })),
        },
        {
          key: 'status',
          kind: 'select',
          often: true,
          options: Object.entries(templateStatus.names).map(([value, label]) => ({ value, label })),
        },
      ]}
      columns={listColumns(rowOf(contractTemplates.templates), {
        name: { main: true, sort: true, width: 220 },
        category_name: { width: 100 },
        version_no: { number: true, width: 70, render: (row) => `第 ${row.version_no} 版` },
        status: {
          width: 80,
          render: (row) => <Tag color={templateStatus.tones[row.status]}>{templateStatus.label(row.status)}</Tag>,
        },
        used: { number: true, sort: true, width: 80, render: (row) => `${row.used} 份` },
        change_log: {},
        gmt_modified: { sort: true },
      })}
      rowActions={(row) => (
        <>
          {(['enable', 'disable'] as const).map((act) => (
            <CallButton
              key={act}
              call={contractTemplates.changeTemplate}
              asked={{
                params: { id: row.id },
                body: {
                  status: act === 'enable' ? templateStatus.inUse : templateStatus.outOfUse,
                  version: row.version,
                },
              }}
              allowed={row.actions.includes(act)}
              size="small"
            >
              {act === 'enable' ? '启用' : '停用'}
            </CallButton>
          ))}
          <CallButton
            call={contractTemplates.removeTemplate}
            asked={{ params: { id: row.id } }}
            allowed={row.actions.includes('delete')}
            danger
            size="small"
            confirm={{ title: `删除模板“${row.name}”`, content: '它的各版正文一并删除，不能恢复' }}
          >
            删除
          </CallButton>
        </>
      )}
      empty={{ why: '还没有合同模板，点“新增模板”开始' }}
    />
  );
}
