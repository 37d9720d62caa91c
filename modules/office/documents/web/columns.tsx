import { Tag } from 'antd';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { approvalListColumns } from '#modules/workflow/records/widgets.tsx';
import { News } from '#kernel/web/kit/show/News.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { lights } from '#modules/platform/waits/contract/due.ts';
import { DocumentRow } from '../contract/shapes.ts';
import { docLevel, secretLevel } from '../contract/shapes.ts';

const colours = ['default', 'success', 'warning', 'error'];

/** The urgency of a document; nothing for an ordinary one. */
export function LevelTag({ row }: { row: Pick<DocumentRow, 'level' | 'level_name'> }) {
  return row.level === docLevel.usual ? null : (
    <Tag color={row.level === docLevel.most ? 'error' : 'warning'}>{row.level_name}</Tag>
  );
}

/** The deadline and its light, in words. */
export function Due({ row }: { row: Pick<DocumentRow, 'due_at' | 'light'> }) {
  if (!row.due_at) return <>—</>;
  return (
    <>
      <Moment at={row.due_at} /> {row.light > 0 && <Tag color={colours[row.light]}>{lights[row.light]}</Tag>}
    </>
  );
}

const numberOf = (row: DocumentRow) => row.doc_number || row.receipt_no;

/** The columns of lists of documents. */
export const columns: ListColumn<DocumentRow>[] = [
  ...listColumns(DocumentRow, {
    title: {
      heading: '标题与字号',
      main: true,
      note: numberOf,
      render: (row) => (
        <>
          {row.news && <News />}
          {row.unanswered && <Tag color="error">未答复</Tag>}
          <LevelTag row={row} />
          {row.on_behalf_of ? `（代 ${row.on_behalf_of}）${row.title}` : row.title}
        </>
      ),
    },
    doc_type_name: { hidden: true, width: 64 },
    secret_level_name: {
      width: 58,
      render: (row) => (row.secret_level > secretLevel.none ? <Tag color="error">{row.secret_level_name}</Tag> : '—'),
    },
    from_org: {
      heading: '来文或起草单位',
      whole: true,
      render: (row) => row.from_org || row.dept_name || '—',
      width: 120,
    },
    written_date: { sort: true, width: 100 },
  }),
  ...approvalListColumns<DocumentRow>(),
  ...listColumns(DocumentRow, {
    due_at: { sort: true, whole: true, render: (row) => <Due row={row} />, width: 138 },
    gmt_created: { sort: true, hidden: true, width: 134 },
    received_date: { sort: true, hidden: true, width: 110 },
    sn: { hidden: true, width: 132 },
  }),
];
