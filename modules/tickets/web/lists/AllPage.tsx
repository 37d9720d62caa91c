import { Link } from 'react-router';
import { TicketList } from './TicketList.tsx';

export default function AllPage() {
  return (
    <TicketList
      name="ticket/all"
      title="全部工单"
      category="all"
      empty={{ why: '您的数据范围内还没有工单', next: <Link to="/ticket/new">发起工单</Link> }}
    />
  );
}
