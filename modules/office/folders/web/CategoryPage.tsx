import { Tag } from 'antd';
import { onOff } from '#kernel/contract/titles.ts';
import { useCall } from '#kernel/web/calls.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { TreePage } from '#kernel/web/kit/tree/TreePage.tsx';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { folderCategories } from '../contract.ts';
import type { CategoryNode } from '../contract/categories.ts';

const namesOf = (row: CategoryNode) => row.managers_info.map((one) => one.alias).join('、');

/** The tree papers are filed in. */
export default function CategoryPage() {
  const flows = useCall(workflows.list, { query: { module: 'folders', per_page: 100 } });
  const fields = (row: CategoryNode | null): FormField[] => [
    { name: 'code', label: '编码', help: '可不填；填写的不能重复' },
    {
      name: 'scope',
      label: '可见部门',
      help: '包括下级部门；不选则全部可见',
      render: ({ id, value, onChange }) => (
        <DeptPicker id={id} multiple value={(value as number[] | undefined) ?? []} onChange={onChange} />
      ),
    },
    {
      name: 'managers',
      label: '分类管理员',
      help: '管理该分类及下级的全部文件，并由此得到“文件管理”和“阅读统计”两个菜单',
      render: ({ id, value, onChange }) => (
        <PersonPicker
          id={id}
          multiple
          known={row?.managers_info ?? []}
          value={(value as string[] | undefined) ?? []}
          onChange={onChange}
        />
      ),
    },
    {
      name: 'workflow_id',
      label: '发布审批流程',
      kind: 'select',
      help: '选了则发布前须经审批；不选则同上级分类，都不选则直接发布',
      options: (flows.data?.value ?? [])
        .filter((one) => one.id === row?.workflow_id || (one.status === onOff.on && one.published_version !== null))
        .map((one) => ({ value: one.id, label: one.name })),
    },
    { name: 'status', label: '启用', help: '停用后不能再放入新文件' },
  ];
  return (
    <TreePage<CategoryNode>
      calls={folderCategories}
      title="文件分类"
      noun="分类"
      help="最多四级；限定部门后，其中的文件只有这些部门可见"
      holds="其中没有分类和文件时才能删除"
      initial={{ status: true }}
      fields={fields}
      columns={[
        { title: '编码', render: (_value, row) => row.code || '—' },
        { title: '现行文件', dataIndex: 'count', align: 'right', className: 'kit-figures' },
        { title: '可见部门', render: (_value, row) => row.scope_names.join('、') || '全部' },
        { title: '管理员', render: (_value, row) => namesOf(row) || '—' },
        { title: '发布审批', render: (_value, row) => row.workflow_name || '—' },
        { title: '状态', render: (_value, row) => (row.status ? <Tag color="success">启用</Tag> : <Tag>停用</Tag>) },
      ]}
      inOne={(row) =>
        [`${row.count} 份现行文件`, row.scope_names.join('、'), row.workflow_name, row.status ? '' : '停用']
          .filter(Boolean)
          .join(' · ')
      }
    />
  );
}
