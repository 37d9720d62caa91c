import { Table } from 'antd';
import type { LogRow } from '../contract.ts';

type Difference = LogRow['diff'][number];

/** What changed, field by field, one table a record. */
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
        columns={[
          { dataIndex: 'field', title: '字段', width: 120 },
          { dataIndex: 'before', title: '改动前', render: (value: unknown) => <Value of={value} struck /> },
          { dataIndex: 'after', title: '改动后', render: (value: unknown) => <Value of={value} /> },
        ]}
      />
    </section>
  ));
}

function Value({ of: value, struck }: { of: unknown; struck?: boolean }) {
  if (value === null || value === undefined || value === '') return <span className="kit-muted">空</span>;
  const text = typeof value === 'boolean' ? (value ? '是' : '否') : String(value);
  return struck ? <del>{text}</del> : <span>{text}</span>;
}
