import { Button, Drawer, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { Calendar, rangeOf, type CalendarView } from '#kernel/web/kit/Calendar.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { RulesPanel } from '#kernel/web/kit/rules/RulesPanel.tsx';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { StatusTag } from '#kernel/web/kit/show/StatusTag.tsx';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { approvalListColumns, RecordList } from '#modules/workflow/records/widgets.tsx';
import { lookups } from '#modules/platform/people/contract/lookups.ts';
import { useNavigate } from 'react-router';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { leaders } from '../contract.ts';
import { leaderRules } from '../contract/board.ts';
import { attendType, choicesOf, replyState, runStatus, scheduleType, timeText, visibleTo } from '../contract/codes.ts';
import { ScheduleRow } from '../contract/schedules.ts';
import { LeaderPicker } from './fields.tsx';
import { CopyDrawer } from './CopyDrawer.tsx';
import { Places } from './Places.tsx';
import { ScheduleForm } from './ScheduleForm.tsx';
import { TextDrawer } from './TextDrawer.tsx';
import './leaders.css';

export const RunStatus = ({ status }: { status: number }) => (
  <Tag color={runStatus.tones[status] ?? 'default'}>{runStatus.label(status)}</Tag>
);
/** Leaders with their answers, unless they take part. */
export const Attends = ({ row }: { row: Pick<ScheduleRow, 'leaders_info' | 'act_state'> }) => (
  <>
    {row.leaders_info
      .map(({ alias, state }) =>
        state === replyState.comes || row.act_state !== actState.finished
          ? alias
          : `${alias}（${replyState.label(state)}）`,
      )
      .join('、')}
  </>
);
/** Names the leaders with another entry, if there are several leaders. */
const clashText = ({ clash, leaders_info: all }: Pick<ScheduleRow, 'clash' | 'leaders_info'>) =>
  clash.length === all.length
    ? '冲突'
    : `${all.flatMap((one) => (clash.includes(one.username) ? one.alias : [])).join('、')}冲突`;
export const Marks = ({ row }: { row: ScheduleRow }) => (
  <>
    {row.unseen && <Tag color="blue">新</Tag>}
    {row.clash.length > 0 && <Tag color="error">{clashText(row)}</Tag>}
    {row.changed_at && <Tag color="warning">变更</Tag>}
    {row.source_module && <Tag>随来源</Tag>}
  </>
);

const columns: ListColumn<ScheduleRow>[] = [
  ...listColumns(ScheduleRow, {
    start_time: { heading: '时间', whole: true, sort: true, width: 160, render: (row) => timeText(row, shortDate) },
    leaders_info: { whole: true, width: 120, render: (row) => <Attends row={row} /> },
    title: { main: true, width: 200 },
    address: { width: 130 },
    attend_type: {
      width: 64,
      render: (row) => (row.type_id === scheduleType.trip ? '外出' : attendType.label(row.attend_type)),
    },
    dept_name: { width: 110 },
    contact_info: { width: 80, hidden: true },
    visibility: { width: 110, hidden: true },
  }),
  ...approvalListColumns<ScheduleRow>().filter((column) => column.key === 'participant_info'),
  ...listColumns(ScheduleRow, {
    act_state: {
      width: 84,
      render: (row) =>
        row.act_state === actState.finished ? (
          <RunStatus status={row.run_status} />
        ) : (
          <StatusTag code={row.act_state} label={row.act_state_name} />
        ),
    },
  }),
  { key: 'marks', title: '标记', whole: true, width: 110, render: (row) => <Marks row={row} /> },
];
const tabs = [
  ['duty', '待办'],
  ['reply', '待答复'],
  ['owner', '我申报'],
  ['all', '全部'],
  ['changed', '变更'],
] as const;

/** Schedules of leaders: waiting for me, proposed by me, and all that I may read. */
export default function SchedulesPage() {
  const may = usePermission();
  const narrow = useNarrow();
  const [side, setSide] = useState<'copy' | 'rules' | 'places' | 'texts' | 'calendar' | null>(null);
  const { data: known = [] } = useCall(lookups.leaders, {});
  const { data: red, isPending } = useCall(leaders.redpoint, {}, { meta: { live: true } });
  const close = () => setSide(null);
  const choice = (key: string, options: Readonly<Record<number, string>>, often = false) =>
    ({ key, kind: 'select', options: choicesOf(options), ...(often ? { often } : {}) }) as const;
  const drawer = { open: true, onClose: close, size: narrow ? '100%' : 640, destroyOnHidden: true } as const;
  return (
    <>
      <RecordList<ScheduleRow>
        card={['start_time', 'leaders_info', 'act_state']}
        name="leader/list"
        title="领导日程"
        purpose="申报、确认和调整领导的时间"
        call={leaders.list}
        page="/schedule/detail"
        columns={columns}
        categories={tabs.map(([value, label]) => ({
          value,
          label,
          ...(value === 'duty' ? { count: isPending ? null : red?.duty } : {}),
        }))}
        filters={[
          choice('type_id', scheduleType.names),
          {
            key: 'leader',
            kind: 'select',
            often: true,
            options: known.map(({ username, alias }) => ({ value: username, label: alias })),
          },
          { key: 'start', kind: 'date', often: true },
          { key: 'end', kind: 'date' },
          choice('attend_type', attendType.names),
          choice('run_status', runStatus.names),
          choice('visibility', visibleTo.names),
        ]}
        tools={
          <>
            <Button onClick={() => setSide('calendar')}>日历</Button>
            {may('Create') && <Button onClick={() => setSide('copy')}>复制上周</Button>}
            <Button onClick={() => setSide('places')}>常用地址</Button>
            {may('chuli') && <Button onClick={() => setSide('texts')}>短信发送</Button>}
            {may('Update') && <Button onClick={() => setSide('rules')}>日程规则</Button>}
          </>
        }
        write="新增日程"
        form={({ id }, done) => <ScheduleForm id={id} onClose={done} />}
        opens={{ edit: '修改' }}
        remove={{ call: leaders.remove, what: '日程' }}
        empty={{ why: '还没有日程；申报或登记后出现在这里' }}
      />
      {side === 'texts' && <TextDrawer onClose={close} />}
      {side === 'copy' && <CopyDrawer onClose={close} />}
      {side === 'places' && (
        <Drawer title="常用地址" {...drawer}>
          <Places />
        </Drawer>
      )}
      {side === 'calendar' && (
        <Drawer title="日程日历" {...drawer} size={narrow ? '100%' : 1000}>
          <Schedules />
        </Drawer>
      )}
      {side === 'rules' && (
        <Drawer title="日程规则" {...drawer}>
          <RulesPanel
            rules={leaderRules}
            read={leaders.rule}
            save={leaders.saveRule}
            readOnly={null}
            untitled
            instead={{ main_leaders: { render: (control) => <LeaderPicker control={control} /> } }}
          />
        </Drawer>
      )}
    </>
  );
}

/** The same by month, week or list. */
function Schedules() {
  const to = useNavigate();
  const [shown, setShown] = useState<{ view: CalendarView; date: string }>({ view: 'week', date: dayOf(new Date()) });
  const { from, to: until } = rangeOf(shown.view, shown.date);
  const { data } = useCall(leaders.list, {
    query: {
      start: from.slice(0, 10),
      end: until.slice(0, 10),
      per_page: 100,
      order_by: 'start_time',
      desc: false,
    },
  });
  return (
    <Calendar
      label="日程日历"
      views={['week', 'month', 'list']}
      {...shown}
      onChange={setShown}
      hours={['07:00', '22:00']}
      entries={data?.value.map((row) => ({
        id: String(row.id),
        title: `${row.leaders_info.map((one) => one.alias).join('、')} ${row.title}`,
        start: row.all_day ? row.start_time.slice(0, 10) : row.start_time,
        end: row.all_day ? row.start_time.slice(0, 10) : row.end_time,
        look:
          row.clash.length > 0
            ? ('clash' as const)
            : row.run_status === runStatus.cancelled
              ? ('grey' as const)
              : row.act_state === actState.finished
                ? ('solid' as const)
                : ('striped' as const),
      }))}
      onOpen={(id) => void to(`/schedule/detail/${id}`)}
    />
  );
}
