import { Alert, Button, Descriptions, Dropdown } from 'antd';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { codes } from '#kernel/contract/refusal.ts';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { Chart } from '#kernel/web/kit/show/Chart.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { sealCalls, StampDetail } from '../../contract/seals.ts';
import { custodyKind, stampType } from '../../contract/seal-codes.ts';
import { parts } from '../../contract/codes.ts';
import { Chain } from '../custody/Chain.tsx';
import { CustodyDrawer } from '../custody/CustodyDrawer.tsx';
import { Seen, keeperText, StampStatus } from './columns.tsx';
import { StampForm } from './StampForm.tsx';
import '../stamps.css';

/** A seal: its facts, custody, use and label. */
export default function StampPage() {
  const id = Number(useParams()['id']);
  const navigate = useNavigate();
  const [editing, setEditing] = useState(false);
  const [address] = useSearchParams();
  const [kind, setKind] = useState<number | null>(Number(address.get('event')) || null);
  const { data: stamp, error, refetch } = useCall(sealCalls.stamp, { params: { id } }, { refetchOnWindowFocus: true });
  if (stamp && editing) return <StampForm stamp={stamp} onClose={() => setEditing(false)} />;
  const events = stamp?.custody ?? [];
  return (
    <DetailPage
      title={stamp?.name ?? ''}
      sn={stamp?.stamp_no ?? ''}
      status={stamp && <StampStatus status={stamp.status} />}
      holder={stamp && `现由 ${keeperText(stamp)} 保管`}
      loading={!stamp}
      error={stamp && error?.code !== codes.absent ? undefined : error}
      retry={() => void refetch()}
      side={stamp && <Side stamp={stamp} />}
      actions={
        stamp &&
        (stamp.actions.length > 0 || events.length > 0) && (
          <>
            {events.slice(0, 2).map((event) => (
              <Button key={event} onClick={() => setKind(event)}>
                {custodyKind.label(event)}
              </Button>
            ))}
            {events.length > 2 && (
              <Dropdown
                trigger={['click']}
                menu={{
                  items: events.slice(2).map((event) => ({ key: event, label: custodyKind.label(event) })),
                  onClick: ({ key }) => setKind(Number(key)),
                }}
              >
                <Button>更多保管事项</Button>
              </Dropdown>
            )}
            {stamp.actions.includes('update') && <Button onClick={() => setEditing(true)}>编辑</Button>}
            <CallButton
              call={sealCalls.removeStamp}
              asked={{ params: { id } }}
              code={null}
              allowed={stamp.actions.includes('delete')}
              danger
              confirm={{ title: `删除“${stamp.name}”`, content: '只有登记后从未使用的印章可以删除，不能恢复' }}
              onDone={() => void navigate('/stamp/list')}
            >
              删除
            </CallButton>
          </>
        )
      }
    >
      {stamp && (
        <>
          {stamp.warning && <Alert type="warning" showIcon title={stamp.warning} />}
          <Facts stamp={stamp} />
          <Chain stampId={id} />
        </>
      )}
      {stamp && kind !== null && events.includes(kind) && (
        <CustodyDrawer kind={kind} stamp={stamp} onClose={() => setKind(null)} />
      )}
    </DetailPage>
  );
}

const hoursText = ({ office_hours: hours }: StampDetail) =>
  ([1, 2] as const).flatMap((part) => (hours[part] ? [`${parts[part]} ${hours[part].join('–')}`] : [])).join('；') ||
  '不受理';

function Facts({ stamp }: { stamp: StampDetail }) {
  const facts = factsOf(StampDetail, {
    type: stampType.label(stamp.type),
    dept_name: stamp.dept_name,
    use_dept_names: stamp.use_dept_names.join('、') || '全部',
    keeper_info: stamp.keeper_info.alias,
    backup_info: stamp.backup_info?.alias ?? '—',
    supervisor_info: stamp.supervisor_info?.alias ?? '—',
    place: stamp.place || '—',
    office_hours: `${hoursText(stamp)}，每半天 ${stamp.slot_capacity} 件`,
    seen_at: <Seen stamp={stamp} />,
    shape: {
      heading: '形状规格',
      shown: [stamp.shape, stamp.size_mm && `${stamp.size_mm} 毫米`].filter(Boolean).join(' ') || '—',
    },
    record_no: stamp.record_no || '—',
    enabled_date: stamp.enabled_date ?? '—',
  });
  return (
    <section className="kit-panel" aria-label="印章信息">
      <Descriptions column={{ xs: 1, sm: 2 }} items={facts} />
    </section>
  );
}

function Side({ stamp }: { stamp: StampDetail }) {
  return (
    <>
      <section className="kit-panel" aria-label="标签">
        <h2>标签</h2>
        <div className="stamp-label stamp-label-print">
          <img src={stamp.label} alt={`${stamp.name}的二维码`} />
          <div>
            <strong>{stamp.name}</strong>
            <br />
            {stamp.stamp_no || `第 ${stamp.id} 号`}
            <br />
            {stamp.dept_name}
          </div>
        </div>
        <Button style={{ marginTop: 12 }} onClick={() => window.print()}>
          打印标签
        </Button>
      </section>
      {stamp.picture_info && (
        <section className="kit-panel" aria-label="印模">
          <h2>印模</h2>
          <img
            src={stamp.picture_info.url}
            alt={`${stamp.name}印模`}
            style={{ maxWidth: '100%', background: '#fff' }}
          />
        </section>
      )}
      <section className="kit-panel" aria-label="近一年用印">
        <h2>近一年用印</h2>
        {stamp.months.length === 0 ? (
          <p className="kit-muted">近一年没有用印</p>
        ) : (
          <Chart
            label="近一年每月用印"
            unit="次"
            names={stamp.months.map((one) => one.month)}
            series={[{ name: '用印', kind: 'bar', values: stamp.months.map((one) => one.count) }]}
          />
        )}
      </section>
    </>
  );
}
