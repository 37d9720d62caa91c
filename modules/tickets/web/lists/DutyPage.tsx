import { Link } from 'react-router';
import { BatchBar } from './batch/BatchBar.tsx';
import { inBatch } from './batch/BatchDrawer.tsx';
import { TicketList } from './TicketList.tsx';

export default function DutyPage() {
  return (
    <TicketList
      name="ticket/duty"
      title="我的待办"
      tabs={[['duty', '我的待办']]}
      batch={(rows, clear) => <BatchBar rows={rows} clear={clear} />}
      choosable={inBatch}
      empty={{ why: '现在没有等您处理的工单', next: <Link to="/index">返回首页</Link> }}
    />
  );
}
