import { Link } from 'react-router';
import { TicketList } from './TicketList.tsx';

export default function OwnerPage() {
  return (
    <TicketList
      name="ticket/owner"
      title="我发起的"
      tabs={[['owner', '我发起的']]}
      empty={{ why: '您还没有发起过工单', next: <Link to="/ticket/new">发起工单</Link> }}
    />
  );
}
