import { Table } from 'antd';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { FieldDifference, type LogRow } from '../contract.ts';

type Difference = LogRow['diff'][number];

/** Changes, field by field, one table per record. */
export function Differences({ of: changes }: { of: readonly Difference[] }) {
  const shown = changes.filter((change) => change.fields.length > 0);
  if (shown.length === 0) return <p className="kit-muted">这项操作没有改动字段</p>;
  return shown.map((change, index) => (
    <section key={index}>
      <h3>{[change.type, change.title].filter(Boolean).join('：')}</h3>
      <Table
        size="small"
        rowKey="field"
        pagination={false}
        dataSource={change.fields}
        scroll={{ x: 'max-content' }}
        columns={tableColumns(FieldDifference, {
          field: { width: 120 },
          before: { render: (one) => <Value of={one.before} struck /> },
          after: { render: (one) => <Value of={one.after} /> },
        })}
      />
    </section>
  ));
}

function Value({ of: value, struck }: { of: unknown; struck?: boolean }) {
  if (value === null || value === undefined || value === '') return <span className="kit-muted">空</span>;
  const text = typeof value === 'boolean' ? (value ? '是' : '否') : String(value);
  return struck ? <del>{text}</del> : <span>{text}</span>;
}
