import { Button, Skeleton, Tabs, Tag } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { dayAfter, dayOf, lastDayOf } from '#kernel/contract/moment.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { download } from '#kernel/web/client.ts';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { FiguresPage } from '#kernel/web/kit/figures/FiguresPage.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Provisional } from '#modules/platform/calendars/widgets.tsx';
import { PdfDrawer } from '#modules/platform/files/widgets.tsx';
import { useWaits, WaitingList } from '#modules/platform/waits/widgets.tsx';
import { AudienceInput } from '#modules/platform/people/widgets.tsx';
import { dutyCalls, dutyStatistics, planCalls, type Swap } from '../contract.ts';
import { postKeys } from '../contract/codes.ts';
import { linkTo, SwapActs, SwapState } from './parts.tsx';
import { Make, Publish } from './Making.tsx';
import { Month } from './Month.tsx';
import './duty.css';

/** A tab with what waits, shown as long as something does. */
const waiting = [
  { key: 'duty', label: '待我办理', why: '没有等您接班、交班或答复的换班' },
  { key: 'duty-plan', label: '缺人与换班', why: '没有缺人的班次，也没有等您确认的换班' },
];

/** The rosters of a month, with tabs for swaps, plans and statistics. */
export default function DutyPage() {
  const [address, setAddress] = useSearchParams();
  const may = usePermission();
  const { data: waits } = useWaits();
  const active = address.get('tab') ?? 'roster';
  const items = [
    { key: 'roster', label: '排班', children: <Roster /> },
    ...waiting.flatMap(({ key, label, why }) => {
      const kind = waits?.value.find((one) => one.key === key);
      const children = <WaitingList page="leader/duty" kind={key} title={label} why={why} />;
      if (kind) return [{ key, label: `${label} ${kind.count + kind.aside}`, children }];
      return active === key ? [{ key, label, children }] : [];
    }),
    { key: 'swap', label: '换班申请', children: <Swaps /> },
    ...(may('Retrieve')
      ? [
          { key: 'plan', label: '方案', children: <Plans /> },
          {
            key: 'statistics',
            label: '统计',
            children: (
              <FiguresPage
                figures={dutyStatistics}
                help="工作日 1 分，休息日 2 分，节假日 3 分；只统计已发布的班次"
                summary={({ gaps }) => [['缺人席位', gaps, '个']]}
              />
            ),
          },
        ]
      : []),
  ];
  return (
    <section className="kit-list" aria-label="值班安排">
      <h1>值班安排</h1>
      <Tabs
        activeKey={active}
        onChange={(tab) => setAddress({ tab }, { replace: true })}
        items={items}
        destroyOnHidden
      />
    </section>
  );
}

function Roster() {
  const [address, setAddress] = useSearchParams();
  const month = address.get('month') ?? dayOf(new Date()).slice(0, 7);
  const [open, setOpen] = useState<'make' | 'print' | null>(null);
  const { data, error, refetch } = useCall(dutyCalls.roster, { query: { month } }, { meta: live });
  const go = (days: number, from = `${month}-01`) =>
    setAddress({ month: dayAfter(from, days).slice(0, 7) }, { replace: true });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  return (
    <section className="kit-list" aria-label="值班表">
      <header className="kit-row">
        <Button aria-label="上个月" onClick={() => go(-1)}>
          ‹
        </Button>
        <strong className="kit-figures">{month}</strong>
        <Button aria-label="下个月" onClick={() => go(1, lastDayOf(month))}>
          ›
        </Button>
        {data && data.drafts > 0 && <Tag color="warning">未发布 {data.drafts}</Tag>}
        <span className="kit-grow" />
        <Button onClick={() => setOpen('print')}>打印</Button>
        <WithCode code="Create">
          <Button onClick={() => setOpen('make')}>自动排班</Button>
        </WithCode>
        {data && data.drafts > 0 && <Publish month={month} />}
      </header>
      <Provisional day={`${month}-01`} />
      {data ? <Month days={data.days} /> : <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />}
      <Make month={month} open={open === 'make'} onClose={() => setOpen(null)} />
      {open === 'print' && (
        <PdfDrawer
          title={`${month} 值班表`}
          about={month}
          fetch={(signal) => download(dutyCalls.pdf, { query: { month } }, { signal, quiet: true })}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}

const Swaps = () => (
  <ListPage<Swap>
    card={['state', 'from_name', 'with_name']}
    name="leader/duty/swap"
    title="换班申请"
    call={dutyCalls.swaps}
    to={(row) => linkTo({ id: row.shift_id })}
    columns={listColumns(rowOf(dutyCalls.swaps), {
      name: { main: true, render: (row) => `${row.day} ${row.name}` },
      from_name: {},
      with_name: {},
      their_day: { render: (row) => row.their_day ?? '替班' },
      reason: {},
      state: { render: (row) => <SwapState state={row.state} /> },
    })}
    filters={[
      {
        key: 'category',
        kind: 'select',
        often: true,
        options: [
          { value: 'mine', label: '与我有关' },
          { value: 'todo', label: '待我办理' },
          { value: 'all', label: '全部' },
        ],
      },
    ]}
    rowActions={(row) => <SwapActs swap={row} />}
    acts={(row) => row.actions.length > 0}
    empty={{ why: '还没有换班申请；在自己的班次中申请换班' }}
  />
);

const pool = (key: string) => ({
  [key]: {
    render: (control: object, values: Record<string, unknown>) => (
      <AudienceInput
        {...control}
        everybody={false}
        known={(values[key] as { users_info?: never[] } | undefined)?.users_info}
      />
    ),
  },
});
const Plans = () => (
  <NounPage
    card={['keeper_name', 'work_from', 'rest_from']}
    calls={planCalls}
    name="leader/duty/plan"
    title="值班方案"
    noun="值班方案"
    columns={[
      'name',
      {
        key: 'work_from',
        heading: '工作日',
        render: (row) => (row.on_work ? `${row.work_from}–${row.work_to}` : '不值班'),
      },
      { key: 'rest_from', heading: '休息日', render: (row) => `${row.rest_from}–${row.rest_to}` },
      ...postKeys.map((key) => ({
        key,
        render: (row: { [K in typeof key]: { called: string } }) => row[key].called || '—',
      })),
      'phone',
      'keeper_name',
      'status',
    ]}
    instead={Object.assign({}, ...postKeys.map(pool))}
    removal="没有班次的方案才能删除"
    empty="还没有值班方案，先新增方案，再自动排班"
  />
);
