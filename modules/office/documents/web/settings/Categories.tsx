import { useCall } from '#kernel/web/calls.ts';
import { onOff, optionsOf } from '#kernel/contract/titles.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { TreePage } from '#kernel/web/kit/tree/TreePage.tsx';
import { LetterheadSelect } from '#modules/platform/letterheads/widgets.tsx';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { retentions } from '../../contract/archived.ts';
import { documentCategories, type Category } from '../../contract/categories.ts';
import { numberRules } from '../../contract/settings.ts';
import { docKind } from '../../contract/shapes.ts';

const statuses = { 1: '启用', 0: '停用' };

/** The categories of documents, with the workflow and number rule of each. */
export function Categories() {
  const flows = useCall(workflows.list, { query: { module: 'documents', per_page: 100 } });
  const rules = useCall(numberRules.list, { query: { per_page: 100 } });
  const fields = (row: Category | null): FormField[] => [
    { name: 'code' },
    { name: 'doc_kind', kind: 'select', options: optionsOf(docKind.names) },
    {
      name: 'workflow_id',
      kind: 'select',
      help: '不选则用该类型的流程',
      options: (flows.data?.value ?? [])
        .filter((one) => one.id === row?.workflow_id || (one.status === onOff.on && one.published_version !== null))
        .map((one) => ({ value: one.id, label: one.name })),
    },
    {
      name: 'number_rule_id',
      kind: 'select',
      options: rules.data?.value.map((one) => ({ value: one.id, label: one.agency_code })) ?? [],
    },
    { name: 'redhead_id', render: (control) => <LetterheadSelect control={control} /> },
    { name: 'retention', kind: 'select', options: optionsOf(retentions) },
    { name: 'status', kind: 'select', options: optionsOf(statuses) },
  ];
  return (
    <TreePage<Category>
      calls={documentCategories}
      title="公文类别"
      noun="类别"
      help="公文按类别得到流程、机关代字和红头；公文可以不选类别"
      holds="没有下级类别和公文用它时才能删除"
      initial={{ status: onOff.on }}
      fields={fields}
      columns={{
        code: {},
        doc_kind: { render: (row) => docKind.label(row.doc_kind) },
        workflow_id: { render: (row) => row.workflow_name || '—' },
        number_rule_id: { render: (row) => row.agency_code || '—' },
        status: { render: (row) => statuses[row.status as 0] },
      }}
      inOne={(row) => [row.code, docKind.label(row.doc_kind), statuses[row.status as 0]].join(' · ')}
    />
  );
}
