import { Progress, Table } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/CallButton.tsx';
import { folders } from '../../contract.ts';
import type { DeptReading } from '../../contract/reading.ts';
import type { PaperDetail } from '../../contract/rows.ts';

/** Who has read a paper and who has not, by department; urges those who have not. */
export function Readers({ paper }: { paper: PaperDetail }) {
  const { data } = useCall(folders.read, { query: { paper_id: paper.id, list: true } });
  const readers = data?.readers;
  if (!readers) return null;
  const done = paper.must_read ? readers.confirmed : readers.read;
  const left = readers.total - done;
  return (
    <section className="kit-panel kit-stack folder-readers" aria-label="阅读情况">
      <div className="kit-row">
        <h2>阅读情况</h2>
        <span>
          {readers.total} 人中 {readers.read} 人已读{paper.must_read && `，${readers.confirmed} 人已确认`}
        </span>
        <span className="kit-grow" />
        <CallButton
          call={folders.answer}
          asked={{ body: { paper_id: paper.id, urge: true } }}
          code={null}
          allowed={left > 0 && paper.actions.includes('urge')}
          confirm={{ title: `催读 ${left} 人`, content: '只提醒还没有阅读的人员，十分钟内不重复' }}
          done="已提醒未读人员"
        >
          催读未读人员
        </CallButton>
      </div>
      <Progress percent={readers.total === 0 ? 0 : Math.floor((done * 100) / readers.total)} />
      <Table<DeptReading>
        size="small"
        rowKey={(row) => row.dept_id ?? 0}
        dataSource={readers.depts}
        pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
        scroll={{ x: 'max-content' }}
        columns={[
          { title: '部门', render: (_value, row) => row.dept_name || '未分部门' },
          { title: '应读', dataIndex: 'total', align: 'right', className: 'kit-figures' },
          { title: '已读', dataIndex: 'read', align: 'right', className: 'kit-figures' },
          ...(paper.must_read
            ? [{ title: '已确认', dataIndex: 'confirmed', align: 'right' as const, className: 'kit-figures' }]
            : []),
          {
            title: paper.must_read ? '已确认人员' : '已读人员',
            render: (_value, row) => row.done.map((one) => one.alias).join('、') || '—',
          },
          { title: '未读人员', render: (_value, row) => row.unread.map((one) => one.alias).join('、') || '—' },
        ]}
      />
    </section>
  );
}
