import { Alert, Button, Drawer, Select } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { RulesPanel } from '#kernel/web/kit/rules/RulesPanel.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { monitorState } from '../contract/codes.ts';
import { logCalls, LogRow } from '../contract/logs.ts';
import { monitorRuleCalls, monitorRules } from '../contract/rules.ts';
import { lasting, StateLight } from './looks.tsx';
import { MonitorChart } from './MonitorPanel.tsx';

const acts: Acts<LogRow> = {
  update: {
    label: '备注',
    title: (row) => `${row.project_name} ${row.time}`,
    call: logCalls.note,
    initial: (row) => ({ remark: row.remark ?? '', ignored: row.ignored }),
    submit: '保存备注',
  },
  delete: {
    label: '删除',
    title: '删除这条监测日志',
    call: logCalls.removeLog,
    offered: (row) => row.actions.includes('delete'),
    danger: true,
    confirm: '月报中写明已删除的条数。',
  },
};

/** 监测日志: the last day by default; with a chart for one project. */
export default function LogPage() {
  const { buttons, drawer } = useActs((_key, { id }) => `look:${id}`, acts);
  const [settings, setSettings] = useState(false);
  const project = Number(useSearchParams()[0].get('project_id')) || null;
  return (
    <>
      <Trouble />
      {project && <MonitorChart project={project} />}
      <ListPage<LogRow>
        card={['status', 'time', 'ms']}
        name="customer/log"
        title="监测日志"
        purpose={useFaring()}
        primary={
          <WithCode code="Update">
            <Button onClick={() => setSettings(true)}>监测设置</Button>
          </WithCode>
        }
        call={logCalls.logs}
        query={project ? { project_id: project } : {}}
        columns={listColumns(LogRow, {
          project_name: { main: true, width: 200 },
          time: { width: 160, sort: true },
          status: { width: 90, render: (row) => <StateLight status={row.status} /> },
          ms: { width: 110 },
          http_code: { width: 80, number: false },
          msg: { width: 260, render: (row) => row.msg ?? '' },
          remark: { width: 160, render: (row) => `${row.ignored ? '不计入。' : ''}${row.remark ?? ''}` },
        })}
        filters={[
          {
            key: 'status',
            kind: 'select',
            often: true,
            options: Object.entries(monitorState.names).map(([value, label]) => ({ value, label })),
          },
          {
            key: 'important',
            kind: 'select',
            often: true,
            options: [{ value: '1', label: '只看状态变化' }],
          },
        ]}
        acts={(row) => row.actions.length > 0}
        rowActions={(row) => <div className="kit-row">{buttons(row, row.actions, { size: 'small' })}</div>}
        empty={{ why: '最近一天没有检测' }}
      />
      <Drawer title="监测设置" open={settings} onClose={() => setSettings(false)} size={480} destroyOnHidden>
        <RulesPanel
          rules={monitorRules}
          read={monitorRuleCalls.rule}
          save={monitorRuleCalls.saveRule}
          readOnly={null}
          untitled
          instead={{
            references: {
              render: (control) => (
                <Select className="kit-wide" mode="tags" tokenSeparators={['，', ',', ' ']} {...(control as object)} />
              ),
            },
          }}
        />
      </Drawer>
      {drawer}
    </>
  );
}

const gigabytes = (bytes: number) => (bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`);
/** The health of the probing itself, in a sentence. */
function useFaring(): string {
  const { data } = useCall(logCalls.health, {});
  if (!data) return '最近一天的检测，更早的请选择时间';
  const { nodes, monitors, log_bytes, keep_days, expected_bytes } = data;
  return `${nodes.length} 个节点监测 ${monitors} 个项目；日志 ${gigabytes(log_bytes)}，保留 ${keep_days} 天约需 ${gigabytes(expected_bytes)}`;
}
/** Shown only if something is wrong. */
function Trouble() {
  const { data } = useCall(logCalls.health, {});
  if (!data) return null;
  const blind = data.nodes.filter((node) => node.blind_since !== null);
  if (blind.length > 0)
    return (
      <Alert
        type="error"
        showIcon
        title={`本节点网络异常：${blind.map((node) => node.node).join('、')}`}
        description="连不上任何对照地址，暂不判断项目是否异常。"
      />
    );
  if (data.monitors > 0 && data.nodes.length === 0)
    return (
      <Alert type="warning" showIcon title="没有节点在监测" description="请检查服务是否以 MONITOR_PLACES=0 启动。" />
    );
  if (data.late_s > 60)
    return (
      <Alert
        type="warning"
        showIcon
        title={`检测已落后 ${lasting(data.late_s)}，待检测 ${data.waiting} 个`}
        description="可增加 MONITOR_PLACES 或节点。"
      />
    );
  return null;
}
