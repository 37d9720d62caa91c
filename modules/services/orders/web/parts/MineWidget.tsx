import { Link } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { orders } from '../../contract/orders.ts';
import { StageTag } from './columns.tsx';

/** My latest reports, and the link to report. */
export default function MineWidget() {
  const { data } = useCall(orders.list, { query: { category: 'owner', per_page: 5 } }, { meta: live });
  return (
    <>
      <Link to="/myOrder">{data?.value.length ? '全部报修' : '没有报修，去报修'}</Link>
      <ul className="kit-lines">
        {data?.value.map((row) => (
          <li key={row.id}>
            <StageTag stage={row.stage} />
            <Link to={`/order/detail/${row.id}`}>{row.title}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}
