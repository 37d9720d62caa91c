import { Link } from 'react-router';
import { TicketList } from './TicketList.tsx';

export default function AllPage() {
  return (
    <TicketList
      name="ticket/all"
      title="全部工单"
      tabs={[
        ['all', '全部'],
        ['view', '我可查看'],
        ['intervene', '我可干预'],
      ]}
      empty={{ why: '您的数据范围内还没有工单', next: <Link to="/ticket/new">发起工单</Link> }}
    />
  );
}
