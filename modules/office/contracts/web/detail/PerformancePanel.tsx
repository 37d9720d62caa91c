import { Progress, Tag } from 'antd';
import type { ReactNode } from 'react';
import { moneyText } from '#kernel/contract/money/money.ts';
import { useActs, type Act } from '#kernel/web/kit/press/acts.tsx';
import { MatterButtons } from '#kernel/web/kit/press/MatterButtons.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { acceptResult, direction, kindText, nature, performanceState, stage } from '../../contract/codes.ts';
import { performanceCalls } from '../../contract/performing/performance.ts';
import type { ContractDetail, Entry, Performance } from '../../contract/shapes.ts';
import { owedBy } from '../../engine/owed.ts';
import { PlanBar } from '../draft/PlansInput.tsx';
import { RegisterDrawer } from './RegisterDrawer.tsx';

const colours: Record<number, string> = {
  0: 'default',
  1: 'processing',
  2: 'cyan',
  3: 'success',
  4: 'error',
  5: 'default',
};

/** The state of a row; a late one that is partly paid says so. */
export function PerformanceTag({ row }: { row: Pick<Performance, 'state' | 'done_amount' | 'days_left'> }) {
  const late = row.state === performanceState.late;
  return (
    <Tag
      color={colours[row.state] ?? 'default'}
      className={row.state === performanceState.cancelled ? 'kit-struck' : ''}
    >
      {performanceState.label(row.state)}
      {late && ` ${-row.days_left} 天`}
      {late && row.done_amount > 0 && ` · 已付 ${moneyText(row.done_amount)}`}
    </Tag>
  );
}

const whole = (values: Record<string, unknown>) => !values['cancel'];
/** Moves, splits or cancels an open row. */
const change: Act<Performance> = {
  label: '调整',
  title: (node) => `调整“${node.name}”`,
  call: performanceCalls.changePerformance,
  initial: (node) => node,
  also: ({ version }) => ({ version }),
  fields: (node) => [
    { name: 'name', when: whole },
    { name: 'plan_date', kind: 'date', when: whole },
    ...(node.plan_amount === null
      ? []
      : [
          { name: 'plan_amount', when: whole, kind: 'money' as const },
          {
            name: 'rest_date',
            kind: 'date' as const,
            when: whole,
            help: '金额改小时，余下的金额另成一个节点的日期',
          },
          { name: 'audited', kind: 'switch' as const, help: '按审定额结算，减去或取消的金额不再支付' },
        ]),
    {
      name: 'handler',
      when: whole,
      render: ({ id, value, onChange, disabled }) => (
        <PersonPicker
          id={id}
          disabled={disabled}
          by="id"
          value={value as number | null}
          onChange={onChange}
          known={[{ id: node.handler, username: '', alias: node.handler_alias, dept_id: null, dept_name: '' }]}
        />
      ),
    },
    { name: 'cancel', kind: 'switch' },
    { name: 'reason', kind: 'textarea' },
  ],
  submit: '保存调整',
};

/** 履约: planned rows with their entries, and the open registrations. */
export function PerformancePanel({ row }: { row: ContractDetail }) {
  const node = useActs<Performance>((_key, { id }) => `contract:node:${id}`, {
    edit: change,
    register: {
      label: '登记',
      look: { type: 'primary', ghost: true },
      opens: ({ id }, close) => <RegisterDrawer row={row} type="performance" node={id} onClose={close} />,
    },
  });
  const entry = useActs<Entry>('contract', {
    reverse: {
      label: '冲销',
      look: { type: 'link' },
      danger: true,
      opens: ({ id }, close) => <RegisterDrawer row={row} type="reverse" entry={id} onClose={close} />,
    },
  });
  const undecided = row.stage < stage.running;
  if (undecided && row.plans.length === 0) return null;
  return (
    <section className="kit-panel kit-stack" aria-label="履约">
      <h2>{undecided ? '履约计划' : '履约'}</h2>
      {undecided
        ? row.plans.map((plan, at) => (
            <div key={at} className="contract-node kit-row">
              <Tag>{kindText(plan)}</Tag> {plan.name}
              <span className="kit-muted">{[plan.plan_date, plan.condition].filter(Boolean).join(' · ')}</span>
              <span className="kit-grow" />
              {plan.plan_amount != null && <span className="kit-figures">{moneyText(plan.plan_amount)} 元</span>}
            </div>
          ))
        : row.performance.map((one) => (
            <Node
              key={one.id}
              node={one}
              contract={row}
              entries={row.entries.filter(({ performance_id }) => performance_id === one.id)}
              act={(key) => node.buttons(one, one.actions, { among: [key], size: 'small' })}
              reverse={(of) => entry.buttons(of, of.actions, { size: 'small' })}
            />
          ))}
      {!undecided && row.pay_direction !== direction.none && row.nature !== nature.framework && (
        <PlanBar planned={plannedOf(row)} amount={owedBy(row)} />
      )}
      {node.drawer}
      {entry.drawer}
    </section>
  );
}
const plannedOf = ({ performance, pay_direction }: ContractDetail) =>
  performance.reduce(
    (sum, one) =>
      sum +
      (one.kind === pay_direction && one.state !== performanceState.cancelled && !one.settlement
        ? Math.round((one.plan_amount ?? 0) * 100)
        : 0),
    0,
  ) / 100;

interface NodeProps {
  node: Performance;
  contract: Pick<ContractDetail, 'id' | 'name'>;
  entries: readonly Entry[];
  act: (key: string) => ReactNode;
  reverse: (entry: Entry) => ReactNode;
}

function Node({ node, contract, entries, act, reverse }: NodeProps) {
  const { plan_amount, done_amount } = node;
  return (
    <div className="contract-node">
      <div className="kit-row">
        <Tag>{kindText(node)}</Tag>
        <strong>{node.name}</strong>
        <PerformanceTag row={node} />
        <span className="kit-muted">
          {node.plan_date} · {node.handler_alias} {node.condition && `· ${node.condition}`}
        </span>
        <span className="kit-grow" />
        {act('edit')}
        {node.state === performanceState.late && (
          <MatterButtons
            source={{ module: 'contracts', id: contract.id, key: `performance-${node.id}` }}
            title={`${contract.name}：${node.name}`}
            content={`合同《${contract.name}》的“${node.name}”应于 ${node.plan_date} 履行，已逾期 ${-node.days_left} 天。`}
            owner={node.handler}
          />
        )}
        {act('register')}
      </div>
      {plan_amount !== null && node.state !== performanceState.cancelled && (
        <div className="kit-row">
          <span className="kit-figures">
            {moneyText(done_amount)} / {moneyText(plan_amount)} 元
          </span>
          <span className="kit-grow">
            <Progress
              size="small"
              percent={plan_amount > 0 ? Math.min(100, Math.round((done_amount * 100) / plan_amount)) : 0}
              aria-label="执行进度"
            />
          </span>
        </div>
      )}
      {node.cancel_reason && <p className="kit-muted">取消原因：{node.cancel_reason}</p>}
      {entries.map((entry) => (
        <div key={entry.id} className="contract-entry kit-row">
          <span className={entry.reversed ? 'kit-struck' : ''}>
            {entry.date}
            {entry.amount !== null && ` ${moneyText(Math.abs(entry.amount))} 元`}
            {entry.reverses_id !== null && '（冲销）'}
            {entry.accept_result && ` ${acceptResult.label(entry.accept_result)}`}
          </span>
          <span className="kit-muted">
            {[
              entry.voucher_no && `凭证 ${entry.voucher_no}`,
              entry.invoice_no && `发票 ${entry.invoice_no}`,
              entry.who,
              entry.remark,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
          {entry.files.length > 0 && <FileLinks files={entry.files} />}
          {reverse(entry)}
        </div>
      ))}
    </div>
  );
}
