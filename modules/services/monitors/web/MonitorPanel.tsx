import { Alert, App, Button, Descriptions, Select } from 'antd';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { defaultsOf, fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { Chart } from '#kernel/web/kit/show/Chart.tsx';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { monitorType, pushType } from '../contract/codes.ts';
import { incidentCalls } from '../contract/incidents.ts';
import { chartSpans, logCalls } from '../contract/logs.ts';
import { monitorCalls, monitorInput, type MonitorDetail } from '../contract/monitors.ts';
import { Silence } from './Silence.tsx';
import { Beats, DaysLeft, lasting, percent, StateLight } from './looks.tsx';

interface Project {
  id: number;
  actions: string[];
}
const acts: Acts<Project & { monitor: MonitorDetail | null }> = {
  settings: {
    label: ({ monitor }) => (monitor ? '监测设置' : '设置监测'),
    title: '监测设置',
    call: monitorCalls.save,
    offered: ({ actions }) => actions.includes('update'),
    code: null,
    look: ({ monitor }) => ({ type: monitor ? 'default' : 'primary' }),
    fields: ({ id }) =>
      fieldsOf(monitorInput, {
        cert_warn_days: { render: (control) => <Days {...(control as object)} /> },
        depends_on: { render: (control) => <Parent control={control as object} but={id} /> },
      }),
    initial: ({ monitor }) => monitor?.settings ?? { ...defaultsOf(monitorInput), type: monitorType.http },
    also: ({ monitor }) => (monitor ? { version: monitor.version } : {}),
    submit: '保存监测设置',
    invalidates: ['customer', 'test'],
  },
};

/** The monitoring of a project: state, chart, alert recipients, settings. */
export function MonitorPanel({ project }: { project: Project }) {
  const { buttons, drawer } = useActs((_key, { id }) => `monitor:${id}`, acts);
  const { data, isPending } = useCall(monitorCalls.get, { params: { id: project.id } }, { meta: { live: true } });
  if (isPending) return null;
  const monitor = data?.value ?? null;
  const may = project.actions.includes('update');
  return (
    <>
      <section className="kit-panel" aria-label="监测">
        <h2>监测</h2>
        {monitor ? <Standing monitor={monitor} /> : <p className="kit-muted">还没有监测这个项目。</p>}
        {(may || monitor) && (
          <div className="kit-row" style={{ marginTop: 12 }}>
            {monitor && monitor.settings.enabled && <Silence id={project.id} until={monitor.quiet_until} />}
            {buttons({ ...project, monitor }, [])}
            {may && monitor && monitor.type !== pushType && <ProbeNow id={project.id} />}
            {may && monitor?.type === pushType && <PushAddress id={project.id} />}
          </div>
        )}
      </section>
      {monitor && <MonitorChart project={project.id} />}
      {drawer}
    </>
  );
}

const Days = ({ value, onChange }: { value?: number[]; onChange?: (days: number[]) => void }) => (
  <Select
    mode="tags"
    className="kit-wide"
    value={(value ?? []).map(String)}
    onChange={(days: string[]) => onChange?.(days.map(Number))}
  />
);
function Parent({ control, but }: { control: object; but: number }) {
  const { data } = useCall(monitorCalls.list, { query: { per_page: 100 } });
  const options = (data?.value ?? []).flatMap(({ id, name }) => (id === but ? [] : [{ value: id, label: name }]));
  return (
    <Select
      {...control}
      className="kit-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="没有则不选"
      options={options}
    />
  );
}

function sentence({ type, settings }: MonitorDetail): string {
  const every = lasting(settings.interval_s);
  if (type === pushType) return `对方每 ${every}推送一次心跳`;
  const resend =
    settings.resend_every > 0
      ? `，每 ${settings.resend_every} 次失败再提醒（约 ${lasting(settings.resend_every * settings.interval_s)}）`
      : '';
  return `每 ${every}以 ${monitorType.label(type)} 检测一次，失败后 ${lasting(settings.retry_interval_s)}重试 ${settings.retries} 次${resend}`;
}

function Standing({ monitor }: { monitor: MonitorDetail }) {
  const narrow = useNarrow();
  const shape = monitorCalls.get.reply.shape.value.unwrap();
  const facts = [
    ...factsOf(shape, {
      status: (
        <span className="kit-row">
          <StateLight status={monitor.status} />
          <span className="kit-muted">自 {monitor.since?.slice(0, 16)}</span>
        </span>
      ),
      last_check: (
        <>
          <Moment at={monitor.last_check} />
          {(monitor.last_msg || monitor.last_ms !== null) && `，${monitor.last_msg || `${monitor.last_ms} 毫秒`}`}
        </>
      ),
      uptime_24h: {
        heading: '可用率',
        shown: `24 小时 ${percent(monitor.uptime_24h)}，30 天 ${percent(monitor.uptime_30d)}`,
      },
      cert_ends: (
        <>
          <DaysLeft at={monitor.cert_ends} /> {monitor.cert_subject}{' '}
          {monitor.cert_issuer && <span className="kit-muted">{monitor.cert_issuer} 签发</span>}
        </>
      ),
    }),
    ...factsOf(shape.shape.settings, { type: sentence(monitor), target: monitor.settings.target || '—' }),
    ...factsOf(shape, {
      depends_on_name: monitor.depends_on_name || '—',
      windows:
        monitor.windows.map((one) => `${one.title} ${shortDate(one.start)} 至 ${shortDate(one.end)}`).join('；') || '—',
      told: monitor.told.map((one) => `${one.name}（${one.way}）`).join('、') || '—',
    }),
  ];
  return (
    <div className="kit-stack">
      {monitor.record_id !== null && (
        <Alert
          type="error"
          showIcon
          title={<Link to={`/customer/record/detail/${monitor.record_id}`}>正在异常：{monitor.last_msg}</Link>}
          action={
            monitor.claimed_name ? (
              `${monitor.claimed_name}已认领`
            ) : (
              <CallButton
                call={incidentCalls.claim}
                asked={{ params: { id: monitor.record_id } }}
                code={null}
                size="small"
                invalidates={['test', 'customer']}
              >
                认领
              </CallButton>
            )
          }
        />
      )}
      <Beats recent={monitor.recent} />
      <Descriptions size="small" column={narrow ? 1 : 2} items={facts} />
    </div>
  );
}

const stepNames = { dns: '解析', connect: '连接', tls: '加密', first: '首字节' } as const;
function ProbeNow({ id }: { id: number }) {
  const { modal } = App.useApp();
  const asking = useSend(monitorCalls.probe, {
    invalidates: [],
    onSuccess({ outcome, msg, ms, http_code, steps }) {
      const times = Object.entries(steps).map(([step, spent]) => `${stepNames[step as 'dns']} ${spent} 毫秒`);
      modal[outcome === 'ok' ? 'success' : 'warning']({
        title: outcome === 'ok' ? `正常，用时 ${ms} 毫秒` : msg,
        content: [http_code === null ? '' : `状态码 ${http_code}`, ...times].filter(Boolean).join('，'),
        okText: '知道了',
      });
    },
  });
  return (
    <Button loading={asking.isPending} onClick={() => asking.mutate({ params: { id }, body: {} })}>
      立即检测
    </Button>
  );
}

function PushAddress({ id }: { id: number }) {
  const { data, refetch } = useCall(monitorCalls.pushAddress, { params: { id } });
  return (
    <>
      {data?.url && <CopyText text={data.url} />}
      <CallButton
        call={monitorCalls.renewPush}
        asked={{ params: { id } }}
        {...(data?.url
          ? { confirm: { title: '更换推送地址', content: '原地址立即失效，请同时修改对方的设置。' } }
          : {})}
        onDone={() => void refetch()}
      >
        {data?.url ? '更换地址' : '生成推送地址'}
      </CallButton>
    </>
  );
}

const spanNames: Record<(typeof chartSpans)[number], string> = {
  '1h': '1 小时',
  '24h': '24 小时',
  '7d': '7 天',
  '30d': '30 天',
  '90d': '90 天',
  '1y': '1 年',
};
/** Response times and outages. */
export function MonitorChart({ project }: { project: number }) {
  const [span, setSpan] = useState<(typeof chartSpans)[number]>('24h');
  const { data } = useCall(logCalls.chart, { query: { project_id: project, span } });
  // Memoized, because a chart is redrawn when its data changes identity.
  const drawn = useMemo(() => {
    const points = data?.points ?? [];
    const short = span === '1h' || span === '24h';
    return {
      names: points.map((point) => (short ? point.at.slice(11, 16) : point.at.slice(5, 16))),
      series: [
        { name: '中位', kind: 'line' as const, values: points.map((point) => point.median) },
        {
          name: '最快至 95%',
          kind: 'band' as const,
          low: points.map((point) => point.min),
          values: points.map((point) => point.p95),
        },
      ],
      shaded: points.flatMap((point, at) => (point.down ? [at] : [])),
    };
  }, [data, span]);
  return (
    <section className="kit-panel" aria-label="响应时间">
      <h2>响应时间</h2>
      <div className="kit-row">
        <Select
          aria-label="时间范围"
          value={span}
          onChange={setSpan}
          className="kit-filter"
          options={chartSpans.map((value) => ({ value, label: spanNames[value] }))}
        />
        <span className="kit-muted">可用率 {percent(data?.uptime ?? null)}</span>
        <Link to={`/customer/log?project_id=${project}`}>监测日志</Link>
      </div>
      {data && <Chart label={`响应时间，${spanNames[span]}，可用率 ${percent(data.uptime)}`} unit="毫秒" {...drawn} />}
    </section>
  );
}
