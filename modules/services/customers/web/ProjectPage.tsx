import type { ComponentProps } from 'react';
import type { BodyOf } from '#kernel/contract/call.ts';
import type { CodeOf } from '#kernel/contract/codes.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { projectStatus, serviceLevel } from '../contract/codes.ts';
import { projects, type ProjectRow } from '../contract/projects.ts';
import { chosen, drawn, keptTo, personFilter, State } from './inputs.tsx';
import './customers.css';

type Props = Partial<Pick<ComponentProps<typeof NounPage<typeof projects>>, 'filters' | 'list' | 'instead'>> & {
  columns?: readonly ComponentProps<typeof NounPage<typeof projects>>['columns'][number][];
  /** Limits the page to one customer. */
  customer?: number;
};
type Set = BodyOf<typeof projects.batch>['set'];
const sets: [string, Set][] = [
  ...Object.entries(projectStatus.names).map(([status, name]): [string, Set] => [
    `设为${name}`,
    { status: Number(status) as CodeOf<typeof projectStatus> },
  ]),
  ['开启短信', { sms_switch: true }],
  ['关闭短信', { sms_switch: false }],
];

/** 项目: of all customers or of one; the monitoring adds columns, filters and fields. */
export default function ProjectPage({ customer, columns = [], filters = [], list, instead }: Props) {
  const kept = keptTo(customer);
  return (
    <NounPage
      card={['status', 'customer_name', 'end_date']}
      calls={projects}
      name="customer/project"
      title="项目"
      noun="项目"
      also={kept.also}
      initial={kept.initial}
      list={{
        to: (row) => `/customer/project/detail/${row.id}`,
        query: kept.query,
        batch: (rows, clear) =>
          sets.map(([name, set]) => (
            <CallButton
              key={name}
              call={projects.batch}
              asked={{ body: { ids: rows.map((row) => row.id), set } }}
              size="small"
              done={said}
              onDone={clear}
            >
              {name}
            </CallButton>
          )),
        ...list,
      }}
      columns={[
        { key: 'name', width: 220, sort: true },
        ...(customer ? [] : [{ key: 'customer_name' as const, width: 190 }]),
        { key: 'manager_alias', width: 90 },
        { key: 'status', width: 90, render: (row) => <State>{projectStatus.label(row.status)}</State> },
        { key: 'service_level', width: 90 },
        ...columns,
        { key: 'sms_switch', width: 100, render: (row) => <SmsSwitch row={row} /> },
        { key: 'end_date', width: 110, render: (row) => row.end_date ?? '—' },
        { key: 'contract_no', hidden: true },
        { key: 'code', hidden: true },
      ]}
      filters={[
        chosen('status', projectStatus.names),
        chosen('service_level', serviceLevel.names, false),
        personFilter('manager'),
        ...filters,
      ]}
      instead={{ ...drawn.project, ...kept.instead, ...instead }}
      removal="有联系人的项目不能删除"
      empty="还没有项目"
    />
  );
}

const said = ({ value }: { value: { ok: boolean; name: string; msg: string }[] }) => {
  const failed = value.filter((one) => !one.ok);
  const done = `已修改 ${value.length - failed.length} 个项目`;
  return failed.length > 0 ? `${done}，${failed.length} 个未改：${failed[0]!.name} ${failed[0]!.msg}` : done;
};

/** Switches a project's alarms by text message on and off. */
export function SmsSwitch({ row }: { row: Pick<ProjectRow, 'id' | 'sms_switch' | 'actions'> }) {
  const next = !row.sms_switch;
  return (
    <>
      {row.sms_switch ? '开' : '关'}{' '}
      <CallButton
        call={projects.smsSwitch}
        asked={{ params: { id: row.id }, body: { sms_switch: next } }}
        code={null}
        allowed={row.actions.includes('update')}
        size="small"
        type="link"
      >
        {next ? '开启' : '关闭'}
      </CallButton>
    </>
  );
}
