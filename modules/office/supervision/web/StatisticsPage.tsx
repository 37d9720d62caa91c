import { Button, Modal } from 'antd';
import { useContext, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { dayOf, lastDayOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import { PermissionContext } from '#kernel/web/kit/permission.tsx';
import ShownText from '#kernel/web/kit/rich/ShownText.tsx';
import { deptFilter } from '#modules/platform/people/widgets.tsx';
import { outcomeNames, outcomes, type Outcome } from '../contract/codes.ts';
import { bulletinCalls, superviseStatistics } from '../contract/statistics.ts';

interface Asked {
  start?: string;
  end?: string;
  dept?: string | number;
  outcome: Outcome;
}
/** The address of the task list behind a figure. */
const behind = ({ start = '', end = '', dept = '', outcome }: Asked) =>
  `/supervise/list?${new URLSearchParams({ tab: 'parts', due_from: start, due_to: end, dept: String(dept), outcome })}`;
const Behind = ({ n, leave, ...asked }: Asked & { n: number; leave?: () => void }) => (
  <Link className="kit-figures" to={behind(asked)} onClick={leave}>
    {n}
  </Link>
);
const periodOf = (month: string) => ({ start: `${month}-01`, end: lastDayOf(month) });

/** 督办统计: outcomes of tasks that were due, and the monthly bulletin. */
export default function StatisticsPage() {
  const [month, setMonth] = useState<string | null>(null);
  return (
    <>
      <FiguresPage
        figures={superviseStatistics}
        tabs={
          <div className="kit-row">
            <Button onClick={() => setMonth(dayOf(new Date()).slice(0, 7))}>督办通报</Button>
          </div>
        }
        help="按时限在这段时间内的子任务统计；红灯任务为现在的情况"
        filters={{ dept: deptFilter }}
        summary={(sum, period) => [
          ...outcomes.map((one) => [outcomeNames[one], sum[one], '项', behind({ ...period, outcome: one })] as const),
          ['红色督办单', sum.reds, '张'],
        ]}
        to={{
          dept: (row, period) => behind({ ...period, dept: row.key, outcome: 'count' }),
          month: (row) => behind({ ...periodOf(row.key), outcome: 'count' }),
          red: (row) => `/supervise/detail/${row.key}`,
        }}
      />
      {month !== null && <BulletinDialog month={month} setMonth={setMonth} />}
    </>
  );
}

function BulletinDialog({ month, setMonth }: { month: string; setMonth: (month: string | null) => void }) {
  const navigate = useNavigate();
  const leave = () => setMonth(null);
  const may = useContext(PermissionContext)('/supervise/list');
  const { data } = useCall(bulletinCalls.bulletin, { query: { month } }, { enabled: /^20\d\d-\d\d$/.test(month) });
  return (
    <Modal
      open
      width={720}
      title="督办通报"
      onCancel={leave}
      footer={
        <CallButton
          call={bulletinCalls.draft}
          asked={{ body: { month } }}
          code={null}
          allowed={may.includes('chuli')}
          type="primary"
          onDone={({ page }) => void navigate(page)}
        >
          生成公文草稿
        </CallButton>
      }
    >
      <div className="kit-stack">
        <DateInput kind="month" only aria-label="月份" value={month} onChange={setMonth} className="kit-filter" />
        {data && (
          <p className="kit-row">
            {outcomes.map((one) => (
              <span key={one}>
                {outcomeNames[one]} <Behind {...periodOf(month)} leave={leave} outcome={one} n={data.value[one]} />
              </span>
            ))}
            {data.value.depts.map((dept) => (
              <span key={dept.id} className="kit-muted">
                {dept.name} <Behind {...periodOf(month)} leave={leave} dept={dept.id} outcome="count" n={dept.count} />
              </span>
            ))}
          </p>
        )}
        {data && <ShownText html={data.value.html} />}
      </div>
    </Modal>
  );
}
