import { Calendar, Segmented } from 'antd';
import dayjs from 'dayjs';
import 'dayjs/locale/zh-cn';
import { lazy, Suspense, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { dayOf } from '#kernel/contract/moment.ts';
import { moneyText } from '#kernel/contract/money/money.ts';
import { useCall } from '#kernel/web/calls.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { direction, kindText, performanceState, planKind } from '../contract/codes.ts';
import { performanceCalls, type PerformanceRow } from '../contract/performing/performance.ts';
import { flowOf } from '../engine/flow.ts';
import { PerformanceTag } from './detail/PerformancePanel.tsx';
import { Days } from './list/columns.tsx';
import './contracts.css';

const CashFlow = lazy(() => import('./performing/CashFlow.tsx'));
const options = (names: Readonly<Record<number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));
// Rows that are done or cancelled have tabs of their own.
const { 3: _done, 5: _off, ...open } = performanceState.names;
const tabs = [
  { value: 'open', label: '未完成' },
  { value: 'done', label: '已履行' },
  { value: 'off', label: '已取消' },
  { value: 'all', label: '全部' },
];
const filters: ListFilter[] = [
  { key: 'state', kind: 'select', often: true, options: options(open) },
  { key: 'kind', kind: 'select', often: true, options: options(planKind.names) },
  {
    key: 'direction',
    kind: 'select',
    options: options({ 1: direction.names[1], 2: direction.names[2] }),
  },
  { key: 'plan_date', kind: 'date' },
  { key: 'plan_from', kind: 'date' },
  { key: 'plan_to', kind: 'date' },
];
const columns = listColumns(rowOf(performanceCalls.performances), {
  contract_name: { main: true },
  contract_no: { whole: true, width: 172, hidden: true },
  name: { width: 130, render: (row) => `${row.period}. ${row.name}` },
  kind: { width: 96, render: kindText },
  plan_date: { sort: true, width: 110 },
  plan_amount: {
    number: true,
    sort: true,
    width: 116,
    render: (row) => (row.plan_amount === null ? '—' : moneyText(row.plan_amount)),
  },
  done_amount: {
    number: true,
    width: 116,
    render: (row) => (row.plan_amount === null ? '—' : moneyText(row.done_amount)),
  },
  state: { whole: true, width: 190, render: (row) => <PerformanceTag row={row} /> },
  handler_alias: { width: 80 },
  days_left: {
    number: true,
    width: 80,
    render: (row) => (
      <Days days={row.state >= performanceState.done && row.state !== performanceState.late ? null : row.days_left} />
    ),
  },
});
dayjs.locale('zh-cn');
const views = [
  { value: 'list', label: '列表' },
  { value: 'days', label: '日历' },
  { value: 'flow', label: '现金流' },
];

/** 合同履约: planned rows as a list, by day, and as cash flow. */
export default function PerformancePage() {
  const [asked, ask] = useSearchParams();
  const view = asked.get('view') ?? 'list';
  const choice = (
    <Segmented
      aria-label="显示方式"
      options={views}
      value={view}
      onChange={(next) => ask(next === 'list' ? {} : { view: next })}
    />
  );
  if (view === 'list')
    return (
      <ListPage<PerformanceRow>
        card={['state', 'plan_date', 'plan_amount']}
        name="contract/performance"
        title="合同履约"
        purpose="付款、收款、验收和里程碑，按计划日办理"
        call={performanceCalls.performances}
        columns={columns}
        categories={tabs}
        filters={filters}
        to={(row) => `/contract/detail/${row.contract_id}`}
        primary={choice}
        empty={{ why: '还没有履约节点；合同签订后计划会变为节点' }}
      />
    );
  return (
    <section className="kit-list" aria-label="合同履约">
      <header className="kit-row kit-list-head">
        <div>
          <h1>合同履约</h1>
          <p className="kit-muted">
            {view === 'days'
              ? '今天起每天待收待付，以前为已收已付和逾期；点击日期查看明细'
              : '前后各十二个月的收付，本月起为待收待付'}
          </p>
        </div>
        {choice}
      </header>
      {view === 'days' ? (
        <Month />
      ) : (
        <Suspense>
          <CashFlow />
        </Suspense>
      )}
    </section>
  );
}

/** An amount in short form: 1.2万. */
const shortly = (amount: number) =>
  amount >= 1e8
    ? `${+(amount / 1e8).toFixed(1)}亿`
    : amount >= 1e4
      ? `${+(amount / 1e4).toFixed(1)}万`
      : String(Math.round(amount));

/** The month: income green, spending blue, late red, the sum under the day; from today on the amounts still to come. */
function Month() {
  const navigate = useNavigate();
  const today = dayOf(new Date());
  const [shown, setShown] = useState(() => dayjs(today));
  const [start, end] = [shown.startOf('month').subtract(7, 'day'), shown.endOf('month').add(14, 'day')];
  const query = { start: start.format('YYYY-MM-DD'), end: end.format('YYYY-MM-DD') };
  const { data = [] } = useCall(performanceCalls.performanceDays, { query });
  const byDay = new Map(data.map((one) => [one.day, one]));
  const narrow = useNarrow();
  const amount = narrow ? shortly : moneyText;
  return (
    <div className="kit-panel contract-month">
      <Calendar
        value={shown}
        onPanelChange={(date) => setShown(date)}
        onSelect={(date, { source }) => {
          setShown(date);
          const day = date.format('YYYY-MM-DD');
          if (source === 'date' && byDay.has(day)) void navigate(`/contract/performance?category=all&plan_date=${day}`);
        }}
        cellRender={(date, { type }) => {
          const one = type === 'date' ? byDay.get(date.format('YYYY-MM-DD')) : undefined;
          if (!one) return null;
          const flow = flowOf(one, today);
          return (
            <div className="contract-day">
              {flow.in > 0 && <div className="contract-in">收 {amount(flow.in)}</div>}
              {flow.out > 0 && <div className="contract-out">付 {amount(flow.out)}</div>}
              <div className={one.overdue > 0 ? 'contract-late' : 'kit-muted'}>
                {one.count} 项{one.overdue > 0 && `${narrow ? '' : '，'}逾期 ${one.overdue}`}
              </div>
            </div>
          );
        }}
      />
    </div>
  );
}
