import { Alert, Descriptions } from 'antd';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { shapeOf } from '#kernel/web/kit/form/rules.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { projectStatus, serviceLevel } from '../contract/codes.ts';
import { projects, type Project } from '../contract/projects.ts';
import { drawn, State } from './inputs.tsx';
import { SmsSwitch } from './ProjectPage.tsx';

const { version: _version, ...changed } = shapeOf(projects.change.body);
const acts: Acts<Project> = {
  update: {
    label: '编辑',
    title: (row) => `编辑项目“${row.name}”`,
    call: projects.change,
    look: { type: 'primary' },
    also: ({ version }) => ({ version }),
    initial: (row) => row,
    fields: fieldsOf(changed, { ...drawn.project, customer_id: null }),
    submit: '保存项目',
    invalidates: ['customer', 'test'],
  },
  delete: {
    label: '删除',
    title: (row) => `删除项目“${row.name}”`,
    call: projects.remove,
    danger: true,
    confirm: '有联系人的项目不能删除；删除后停止监测',
    next: () => '/customer/project',
  },
};

interface Props {
  /** Content that the monitoring adds for a project. */
  children?: (row: Project) => ReactNode;
}

/** One project: its customer, members and alarm recipients. */
export default function ProjectDetail({ children }: Props) {
  const id = Number(useParams()['id']);
  const narrow = useNarrow();
  const { buttons, drawer } = useActs(() => `customer/project:${id}`, acts);
  const { data, error, isPending, refetch } = useCall(projects.get, { params: { id } });
  const row = data?.value;
  const named = (ids: readonly number[]) =>
    ids.flatMap((one) => row?.people.find((person) => person.id === one)?.alias ?? []).join('、') || '—';
  return (
    <DetailPage
      title={row?.name ?? '项目详情'}
      sn={row?.code ?? ''}
      status={row && <State>{projectStatus.label(row.status)}</State>}
      holder={row && <Link to={`/customer/detail/${row.customer_id}`}>{row.customer_name}</Link>}
      loading={isPending}
      error={error}
      retry={() => void refetch()}
      actions={row && buttons(row, row.actions)}
    >
      {row?.silent && (
        <Alert
          type="warning"
          showIcon
          title="告警联系人已失效"
          description="选定的联系人已删除、没有手机号或不再接收短信，客户方收不到告警。请编辑项目，另选告警联系人。"
        />
      )}
      {row && (
        <section className="kit-panel" aria-label="概况">
          <h2>概况</h2>
          <Descriptions
            size="small"
            column={narrow ? 1 : 2}
            items={factsOf(projects.get.reply.shape.value, {
              manager_alias: row.manager_alias,
              members: named(row.members),
              service_level: serviceLevel.label(row.service_level),
              start_date: { heading: '起止日期', shown: `${row.start_date ?? '—'} 至 ${row.end_date ?? '—'}` },
              contract_no: row.contract_no || '—',
              url: row.url ? (
                <a href={row.url} target="_blank" rel="noreferrer">
                  {row.url}
                </a>
              ) : (
                '—'
              ),
              domain_expire: row.domain_expire ?? '—',
              sms_switch: <SmsSwitch row={row} />,
              alert_users: named(row.alert_users),
              alert_contacts: row.contacts.map((one) => `${one.name} ${one.mobile_masked}`).join('、') || '—',
              remark: row.remark || '—',
            })}
          />
        </section>
      )}
      {row && children?.(row)}
      {drawer}
    </DetailPage>
  );
}
