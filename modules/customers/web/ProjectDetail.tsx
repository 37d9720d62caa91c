import { Descriptions } from 'antd';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { projectStatuses, serviceLevels } from '../contract/codes.ts';
import { projects, type Project } from '../contract/projects.ts';
import { State } from './inputs.tsx';
import { SmsSwitch } from './ProjectPage.tsx';

interface Props {
  /** What whoever watches projects shows of one, and offers to do. */
  children?: (row: Project) => ReactNode;
  actions?: (row: Project) => ReactNode;
}

/** One project: whose it is, who works on it and who hears of its alarms. */
export default function ProjectDetail({ children, actions }: Props) {
  const id = Number(useParams()['id']);
  const narrow = useNarrow();
  const { data, error, isPending, refetch } = useCall(projects.get, { params: { id } });
  const row = data?.value;
  const named = (ids: readonly number[]) =>
    ids.flatMap((one) => row?.people.find((person) => person.id === one)?.alias ?? []).join('、') || '—';
  return (
    <DetailPage
      title={row?.name ?? '项目详情'}
      sn={row?.code ?? ''}
      status={row && <State>{projectStatuses[row.status]}</State>}
      holder={row && <Link to={`/customer/detail/${row.customer_id}`}>{row.customer_name}</Link>}
      loading={isPending}
      error={error}
      retry={() => void refetch()}
      actions={row && actions?.(row)}
    >
      {row && (
        <section className="kit-panel" aria-label="概况">
          <h2>概况</h2>
          <Descriptions
            size="small"
            column={narrow ? 1 : 2}
            items={Object.entries({
              负责人: row.manager_alias,
              成员: named(row.members),
              服务级别: serviceLevels[row.service_level],
              起止日期: `${row.start_date ?? '—'} 至 ${row.end_date ?? '—'}`,
              合同编号: row.contract_no || '—',
              网址: row.url || '—',
              域名到期: row.domain_expire ?? '—',
              短信告警: <SmsSwitch row={row} />,
              告警通知人: named(row.alert_users),
              告警联系人: row.contacts.map((one) => `${one.name} ${one.mobile_masked}`).join('、') || '—',
              备注: row.remark || '—',
            }).map(([label, shown]) => ({ key: label, label, children: shown }))}
          />
        </section>
      )}
      {row && children?.(row)}
    </DetailPage>
  );
}
