import { Link } from 'react-router';
import { TicketList } from './TicketList.tsx';

export default function CopiesPage() {
  return (
    <TicketList
      name="ticket/cc"
      title="抄送我的"
      tabs={[['cc', '抄送我的']]}
      empty={{ why: '还没有抄送给您的工单', next: <Link to="/ticket/duty">查看我的待办</Link> }}
    />
  );
}
