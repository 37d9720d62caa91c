import { Link } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { orders } from '../../contract/orders.ts';
import { Light, StageTag } from './columns.tsx';

/** What I have to mend, the most urgent first. */
export default function TaskWidget() {
  const query = { category: 'duty', per_page: 5, order_by: 'due_at', desc: false } as const;
  const { data } = useCall(orders.list, { query }, { meta: live });
  return (
    <div className="kit-stack">
      {data?.value.map((row) => (
        <div key={row.id} className="kit-row">
          <StageTag stage={row.stage} />
          <Link to={`/order/detail/${row.id}`}>{row.title}</Link>
          <span className="kit-muted">{row.place}</span>
          <Light row={row} />
        </div>
      ))}
      <Link to="/order/task">{data?.value.length ? `全部维修任务（${data.total}）` : '没有要办的维修任务'}</Link>
    </div>
  );
}
