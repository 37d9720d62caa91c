import { Link } from 'react-router';
import { Beside } from './beside/Beside.tsx';
import { TicketList } from './TicketList.tsx';

/** What I started, of whichever module a ticket decides it: where it stands and who has it, and beside the list what I may do with it. */
export default function OwnerPage() {
  return (
    <TicketList
      name="ticket/owner"
      title="我发起的"
      tabs={[['owner', '我发起的']]}
      preview={(row) => <Beside key={row.id} row={row} />}
      empty={{ why: '您还没有发起过工单', next: <Link to="/ticket/new">发起工单</Link> }}
    />
  );
}
