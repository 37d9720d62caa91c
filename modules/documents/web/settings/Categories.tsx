import { Button, Table } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton, WithCode } from '#kernel/web/kit/CallButton.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { LetterheadSelect } from '#modules/letterheads/widgets.tsx';
import { workflows } from '#modules/workflows/contract.ts';
import { documentSettings, type Category } from '../../contract/settings.ts';
import { docKinds } from '../../contract/shapes.ts';

const options = (names: Readonly<Record<number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value: Number(value), label }));
const statuses = { 1: '启用', 0: '停用' };

/** The categories of documents, with the workflow and the number rule each brings. */
export function Categories() {
  const [open, setOpen] = useState<Category | 'new' | null>(null);
  const { data, error, refetch, isPending } = useCall(documentSettings.categories, { query: {} });
  const flows = useCall(workflows.list, { query: { module: 'documents', per_page: 100 } });
  const rules = useCall(documentSettings.rules, { query: { per_page: 100 } });
  const named = open === 'new' ? null : open?.workflow_id;
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  const fields: FormField[] = [
    { name: 'name', label: '名称' },
    { name: 'code', label: '编码' },
    { name: 'doc_kind', label: '公文类型', kind: 'select', options: options(docKinds) },
    {
      name: 'workflow_id',
      label: '流程',
      kind: 'select',
      help: '不选则用该类型的流程',
      options: (flows.data?.value ?? [])
        .filter((one) => one.id === named || (one.status === 1 && one.published_version !== null))
        .map((one) => ({ value: one.id, label: one.name })),
    },
    {
      name: 'number_rule_id',
      label: '机关代字',
      kind: 'select',
      options: rules.data?.value.map((one) => ({ value: one.id, label: one.agency_code })) ?? [],
    },
    {
      name: 'redhead_id',
      label: '红头模板',
      render: (control) => <LetterheadSelect control={control} />,
    },
    { name: 'retention', label: '保管期限', kind: 'select', options: options({ 1: '永久', 2: '三十年', 3: '十年' }) },
    { name: 'order_id', label: '排序', kind: 'number', help: '小的在前' },
    { name: 'status', label: '状态', kind: 'select', options: options(statuses) },
  ];
  const drawer = { onClose: () => setOpen(null), onDone: () => undefined, fields, submit: '保存类别' };
  return (
    <section className="kit-panel kit-stack" aria-label="公文类别">
      <div className="kit-row">
        <WithCode code="Create">
          <Button type="primary" onClick={() => setOpen('new')}>
            新增类别
          </Button>
        </WithCode>
      </div>
      <Table
        rowKey="id"
        size="small"
        loading={isPending}
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={data?.value ?? []}
        locale={{ emptyText: '还没有类别，公文可以不选类别' }}
        columns={[
          { dataIndex: 'name', title: '名称' },
          { dataIndex: 'code', title: '编码' },
          { key: 'kind', title: '公文类型', render: (_value, row: Category) => docKinds[row.doc_kind as 1] },
          { dataIndex: 'workflow_name', title: '流程' },
          { dataIndex: 'agency_code', title: '机关代字' },
          { key: 'status', title: '状态', render: (_value, row: Category) => statuses[row.status as 0] },
          {
            key: 'actions',
            title: '操作',
            render: (_value, row: Category) => (
              <div className="kit-row">
                {row.actions.includes('edit') && (
                  <Button size="small" onClick={() => setOpen(row)}>
                    编辑
                  </Button>
                )}
                <CallButton
                  call={documentSettings.removeCategory}
                  asked={{ params: { id: row.id } }}
                  allowed={row.actions.includes('delete')}
                  danger
                  size="small"
                  confirm={{ title: `删除类别“${row.name}”`, content: '没有公文用它时才能删除' }}
                >
                  删除
                </CallButton>
              </div>
            ),
          },
        ]}
      />
      {open === 'new' && (
        <FormDrawer
          {...drawer}
          open
          title="新增类别"
          name="document-category:new"
          call={documentSettings.addCategory}
          initial={{ status: 1, order_id: 0 }}
        />
      )}
      {open !== null && open !== 'new' && (
        <FormDrawer
          {...drawer}
          open
          title={`编辑类别“${open.name}”`}
          name={`document-category:${open.id}`}
          call={documentSettings.changeCategory}
          params={{ id: open.id }}
          initial={{ ...open }}
          also={{ version: open.version, parent: open.parent }}
        />
      )}
    </section>
  );
}
