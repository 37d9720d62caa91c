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

/** The category tree of papers. */
export default function CategoryPage() {
  const flows = useCall(workflows.list, { query: { module: 'folders', per_page: 100 } });
  const fields = (row: CategoryNode | null): FormField[] => [
    { name: 'code', help: '可不填；填写的不能重复' },
    {
      name: 'scope',
      help: '包括下级部门；不选则全部可见',
      render: ({ id, value, onChange }) => (
        <DeptPicker id={id} multiple value={(value as number[] | undefined) ?? []} onChange={onChange} />
      ),
    },
    {
      name: 'managers',
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
      kind: 'select',
      help: '选了则发布前须经审批；不选则同上级分类，都不选则直接发布',
      options: (flows.data?.value ?? [])
        .filter((one) => one.id === row?.workflow_id || (one.status === onOff.on && one.published_version !== null))
        .map((one) => ({ value: one.id, label: one.name })),
    },
    { name: 'status', help: '停用后不能再放入新文件' },
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
      columns={{
        code: {},
        count: {},
        scope: { render: (row) => row.scope_names.join('、') || '全部' },
        managers: { render: (row) => namesOf(row) || '—' },
        workflow_id: { render: (row) => row.workflow_name || '—' },
        status: { render: (row) => (row.status ? <Tag color="success">启用</Tag> : <Tag>停用</Tag>) },
      }}
      inOne={(row) =>
        [`${row.count} 份现行文件`, row.scope_names.join('、'), row.workflow_name, row.status ? '' : '停用']
          .filter(Boolean)
          .join(' · ')
      }
    />
  );
}
