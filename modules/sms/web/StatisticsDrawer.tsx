import { Alert, Drawer, Empty, Progress, Table, type TableColumnsType } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { sms } from '../contract.ts';
import type { DeptSums, MonthSums } from '../contract/statistics.ts';

type Sums = Omit<MonthSums, 'month'>;
const rateOf = ({ delivered, failed }: Sums) =>
  delivered + failed === 0 ? '—' : `${((delivered / (delivered + failed)) * 100).toFixed(1)}%`;

function columns<Row extends Sums>(first: string, key: keyof Row & string): TableColumnsType<Row> {
  const figure = { className: 'kit-figures', align: 'right' as const };
  return [
    { key, dataIndex: key, title: first },
    { ...figure, key: 'total', dataIndex: 'total', title: '号码' },
    { ...figure, key: 'segments', dataIndex: 'segments', title: '条数' },
    { ...figure, key: 'rate', title: '送达率', render: (_value, row) => rateOf(row) },
    { ...figure, key: 'cost', title: '费用（元）', render: (_value, row) => row.cost ?? '—' },
  ];
}

/** What is left of the quotas, and what was sent by month and department. */
export function StatisticsDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const narrow = useNarrow();
  const { data, error, isFetching } = useCall(sms.statistics, { query: {} }, { enabled: open });
  const table = {
    size: 'small',
    loading: isFetching,
    pagination: false,
    locale: { emptyText: '还没有发送过短信' },
  } as const;
  const quotas = data
    ? [
        { name: '我今天', ...data.today },
        ...data.depts.map(({ dept_name, ...used }) => ({ name: `${dept_name} 本月`, ...used })),
      ]
    : [];
  return (
    <Drawer title="配额与统计" open={open} onClose={onClose} size={narrow ? '100%' : 640} destroyOnHidden>
      {error && <Alert type="error" title={error.message} showIcon />}
      <div className="kit-stack">
        <section aria-label="配额">
          {quotas.length === 0 && !isFetching && <Empty description="没有配额记录" />}
          {quotas.map(({ name, used, limit }) => (
            <div key={name}>
              <span className="kit-figures">
                {name}：已用 {used} 条，共 {limit} 条
              </span>
              <Progress
                percent={limit === 0 ? 100 : Math.min(100, Math.round((used / limit) * 100))}
                status={used >= limit ? 'exception' : 'normal'}
                aria-label={`${name}已用`}
              />
            </div>
          ))}
        </section>
        <Table<MonthSums>
          {...table}
          rowKey="month"
          dataSource={data?.by_month ?? []}
          columns={columns('月份', 'month')}
        />
        <Table<DeptSums>
          {...table}
          rowKey="dept_name"
          dataSource={data?.by_dept ?? []}
          columns={columns('部门', 'dept_name')}
        />
        <p className="kit-muted">近六个月；送达率按已有回执计算，费用按接口设置中的单价计算，没有被服务商接收的不计</p>
      </div>
    </Drawer>
  );
}
