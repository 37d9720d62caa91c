import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { RecordList } from '#modules/workflow/records/widgets.tsx';
import { folders } from '../contract.ts';
import { Paper } from '../contract/list.ts';
import { paperColumns, paperForms, usePaperFilters } from './columns.tsx';
import { PaperForm } from './edit/PaperForm.tsx';

/** The papers I manage: writing, publishing, revising, and their reading progress. */
export default function PapersPage() {
  const filters = usePaperFilters();
  return (
    <RecordList<Paper>
      card={['status', 'act_state', 'category_name']}
      name="folder/papers"
      title="文件管理"
      purpose="起草、发布、修订和废止制度文件，可查看未读人员"
      call={folders.papers}
      query={{ managed: true }}
      page="/folder/detail"
      columns={[
        ...paperColumns,
        ...listColumns(Paper, {
          read_rate: { number: true, width: 80, render: (row) => (row.read_rate === null ? '—' : `${row.read_rate}%`) },
          read_count: { sort: true, hidden: true },
          expire_date: { hidden: true },
        }),
      ]}
      filters={[...filters, { key: 'must_read', kind: 'select', options: [{ value: 'true', label: '必读' }] }]}
      write="新增文件"
      form={({ kind, id }, close) => <PaperForm kind={kind as 'new'} id={id} onClose={close} />}
      opens={paperForms}
      remove={{ call: folders.removePaper, what: '草稿' }}
      empty={{ why: '还没有制度文件，点“新增文件”开始' }}
    />
  );
}
