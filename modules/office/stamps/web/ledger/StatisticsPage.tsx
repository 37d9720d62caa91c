import { Select, Tag } from 'antd';
import { useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { daysOf } from '#kernel/web/kit/figures/days.ts';
import { FiguresPage, type FigureFilter } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { CategoryTabs } from '#kernel/web/kit/list/bar/CategoryTabs.tsx';
import { ListPage, type ListPageProps } from '#kernel/web/kit/list/ListPage.tsx';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { MatterButtons } from '#kernel/web/kit/press/MatterButtons.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { deptFilter } from '#modules/platform/people/widgets.tsx';
import { oversightCalls, stampStatistics, type Alert } from '../../contract/oversight.ts';
import { sealCalls } from '../../contract/seals.ts';
import { alertKind, alertResult } from '../../contract/seal-codes.ts';
import { choices, stampTo } from '../seals/columns.tsx';
import { optionsOf } from '../seals/StampForm.tsx';

const tabs = [
  { value: 'figures', label: '统计' },
  { value: 'alert', label: '异常' },
];

/** Statistics of sealings, and alerts. */
export default function StatisticsPage() {
  const [search, setSearch] = useSearchParams();
  const tab = search.get('tab') === 'alert' ? 'alert' : 'figures';
  const switching = { categories: tabs, value: tab, onChange: (next: string) => setSearch({ tab: next }) };
  if (tab === 'alert') return <Alerts tabs={switching} />;
  const seal = (row: { key: string }) => stampTo({ id: Number(row.key) });
  return (
    <FiguresPage
      figures={stampStatistics}
      tabs={<CategoryTabs {...switching} />}
      help="按用印登记统计，有更正的按更正后的份数；等待从审批通过算到用印"
      filters={{ stamp: (control) => <StampFilter {...control} />, dept: deptFilter }}
      summary={({ count, copies, after_hours, refused, unused }) => [
        ['用印', count, '次'],
        ['用印文件', copies, '份'],
        ['班外', after_hours, '次'],
        ['拒绝', refused, '件'],
        ['批而未用', unused, '件'],
      ]}
      to={{
        stamp: seal,
        outcome: seal,
        month: (row, asked) => `/stamp/ledger?${daysOf(row.key, asked)}`,
        kind: (row, { start, end }) => `/stamp/ledger?${new URLSearchParams({ file_kind: row.key, start, end })}`,
      }}
    />
  );
}

function StampFilter({ value, onChange }: FigureFilter) {
  const { data } = useCall(sealCalls.deptStamps, {});
  return (
    <Select
      allowClear
      className="kit-filter"
      placeholder="全部印章"
      aria-label="印章"
      value={value}
      onChange={onChange}
      options={(data?.value ?? []).map((one) => ({ value: String(one.id), label: one.name }))}
    />
  );
}

const acts: Acts<Alert> = {
  handle: {
    label: '处理',
    title: '处理用印异常',
    call: oversightCalls.handleAlert,
    fields: [
      { name: 'result', kind: 'select', options: optionsOf(alertResult.names) },
      { name: 'note', kind: 'textarea' },
    ],
    submit: '登记处理结果',
  },
};

function Alerts({ tabs: switching }: { tabs: NonNullable<ListPageProps<Alert>['tabs']> }) {
  const { buttons, drawer } = useActs((_key, { id }) => `stamp:alert:${id}`, acts);
  return (
    <>
      <ListPage<Alert>
        card={['kind', 'stamp_name', 'handled']}
        name="stamp/statistics/alert"
        title="用印异常"
        purpose="每小时查找一次，同一情况只提一次；核实后写明结果"
        tabs={switching}
        call={oversightCalls.alerts}
        columns={listColumns(rowOf(oversightCalls.alerts), {
          title: { main: true, whole: true, width: 300 },
          kind: { whole: true, width: 160 },
          stamp_name: { whole: true, width: 140 },
          gmt_created: { sort: true, width: 134 },
          handled: {
            whole: true,
            width: 200,
            render: (row) =>
              row.handled ? (
                <>
                  <Tag color="success">{alertResult.label(row.result ?? 0)}</Tag>
                  {row.handled_by}：{row.note}
                </>
              ) : (
                <Tag color="warning">待处理</Tag>
              ),
          },
        })}
        filters={[
          { key: 'kind', kind: 'select', often: true, options: choices(alertKind.names) },
          {
            key: 'handled',
            kind: 'select',
            often: true,
            options: [
              { value: 'false', label: '待处理' },
              { value: 'true', label: '已处理' },
            ],
          },
        ]}
        to={(row) => (row.application_id ? `/stamp/detail/${row.application_id}` : stampTo({ id: row.stamp_id ?? 0 }))}
        rowActions={(row) => (
          <>
            {buttons(row, row.actions, { size: 'small' })}
            {row.application_id !== null && (
              <MatterButtons
                source={{ module: 'stamps', id: row.application_id, key: `alert-${row.id}` }}
                title={row.title}
                content={[alertKind.label(row.kind), row.stamp_name, row.title].filter(Boolean).join('，')}
              />
            )}
          </>
        )}
        empty={{ why: '没有发现用印异常' }}
      />
      {drawer}
    </>
  );
}
