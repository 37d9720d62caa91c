import { Link } from 'react-router';
import { TicketList } from './TicketList.tsx';

export default function DutyPage() {
  return (
    <TicketList
      name="ticket/duty"
      title="我的待办"
      category="duty"
      empty={{ why: '现在没有等您处理的工单', next: <Link to="/index">返回首页</Link> }}
    />
  );
}
