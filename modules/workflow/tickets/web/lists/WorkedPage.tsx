import { Link } from 'react-router';
import { TicketList } from './TicketList.tsx';

export default function WorkedPage() {
  return (
    <TicketList
      name="ticket/worked"
      title="我已处理"
      tabs={[
        ['worked', '我已处理'],
        ['owner', '我发起的工单'],
        ['relation', '与我有关'],
      ]}
      empty={{ why: '您还没有处理过工单', next: <Link to="/ticket/duty">查看我的待办</Link> }}
    />
  );
}
