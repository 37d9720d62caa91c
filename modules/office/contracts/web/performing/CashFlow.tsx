import { Skeleton, Table } from 'antd';
import { useState } from 'react';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { moneyText } from '#kernel/contract/money/money.ts';
import { useCall } from '#kernel/web/calls.ts';
import { Chart } from '#kernel/web/kit/show/Chart.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { CategoryPicker } from '#kernel/web/kit/tree/CategoryPicker.tsx';
import { DeptPicker } from '#modules/platform/people/widgets.tsx';
import { contractCategories } from '../../contract/categories.ts';
import { performanceCalls } from '../../contract/performing/performance.ts';
import { flowOf } from '../../engine/flow.ts';
import { addMonths } from '../../engine/terms.ts';

const around = 12;

/** 现金流: twelve months back and ahead, bars in and out with their sums, from this month on the amounts still to come; with the table behind. */
export default function CashFlow() {
  const first = `${dayOf(new Date()).slice(0, 7)}-01`;
  const months = Array.from({ length: 2 * around + 1 }, (_one, at) => addMonths(first, at - around).slice(0, 7));
  const [dept, setDept] = useState<number>();
  const [category, setCategory] = useState<number>();
  const query = {
    start: `${months[0]}-01`,
    end: dayAfter(addMonths(first, around + 1), -1),
    by: 'month' as const,
    dept,
    category,
  };
  const { data, error, refetch } = useCall(performanceCalls.performanceDays, { query });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" />;
  const byMonth = new Map(data.map((one) => [one.day, one]));
  let total = 0;
  const rows = months.map((month) => {
    const one = byMonth.get(month);
    const { in: income, out } = one ? flowOf(one, first.slice(0, 7)) : { in: 0, out: 0 };
    total = Math.round((total + income - out) * 100) / 100;
    return { month, income, out, count: one?.count ?? 0, total };
  });
  const money = (key: 'income' | 'out' | 'total', title: string) => ({
    title,
    dataIndex: key,
    align: 'right' as const,
    render: (value: number) =>
      value < 0 ? <span className="contract-late">-{moneyText(-value)}</span> : moneyText(value),
  });
  return (
    <div className="kit-panel kit-stack">
      <div className="kit-row">
        <span>
          <CategoryPicker
            call={contractCategories.list}
            placeholder="全部类别"
            value={category}
            onChange={(next) => setCategory((next as number | undefined) ?? undefined)}
          />
        </span>
        <span>
          <DeptPicker value={dept} onChange={(next) => setDept(next ?? undefined)} />
        </span>
      </div>
      <Chart
        label="按月收付与累计净额"
        unit="元"
        names={months}
        series={[
          { name: '收', kind: 'bar', stack: 'flow', values: rows.map((row) => row.income) },
          { name: '付', kind: 'bar', stack: 'flow', values: rows.map((row) => -row.out) },
          { name: '累计净额', kind: 'line', values: rows.map((row) => row.total) },
        ]}
      />
      <Table
        rowKey="month"
        size="small"
        pagination={false}
        scroll={{ x: 480 }}
        dataSource={rows.filter((row) => row.count > 0)}
        columns={[
          { title: '月份', dataIndex: 'month' },
          money('income', '收'),
          money('out', '付'),
          money('total', '累计净额'),
          { title: '节点', dataIndex: 'count', align: 'right' },
        ]}
      />
    </div>
  );
}
