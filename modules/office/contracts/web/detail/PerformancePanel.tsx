import { Button, Progress, Tag } from 'antd';
import { useState } from 'react';
import { moneyText } from '#kernel/contract/money/money.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
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

/** 履约: planned rows with their entries, and the open registrations. */
export function PerformancePanel({ row }: { row: ContractDetail }) {
  const [paying, setPaying] = useState<number | null>(null);
  const [reversing, setReversing] = useState<number | null>(null);
  const [changing, setChanging] = useState<Performance | null>(null);
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
        : row.performance.map((node) => (
            <Node
              key={node.id}
              node={node}
              contract={row}
              entries={row.entries.filter((entry) => entry.performance_id === node.id)}
              onRegister={() => setPaying(node.id)}
              onReverse={setReversing}
              onChange={() => setChanging(node)}
            />
          ))}
      {!undecided && row.pay_direction !== direction.none && row.nature !== nature.framework && (
        <PlanBar planned={plannedOf(row)} amount={owedBy(row)} />
      )}
      {paying !== null && <RegisterDrawer row={row} type="performance" node={paying} onClose={() => setPaying(null)} />}
      {reversing !== null && (
        <RegisterDrawer row={row} type="reverse" entry={reversing} onClose={() => setReversing(null)} />
      )}
      {changing && <ChangeDrawer node={changing} onClose={() => setChanging(null)} />}
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
  onRegister: () => void;
  onReverse: (entry: number) => void;
  onChange: () => void;
}

function Node({ node, contract, entries, onRegister, onReverse, onChange }: NodeProps) {
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
        {node.actions.includes('edit') && (
          <Button size="small" onClick={onChange}>
            调整
          </Button>
        )}
        {node.state === performanceState.late && (
          <MatterButtons
            source={{ module: 'contracts', id: contract.id, key: `performance-${node.id}` }}
            title={`${contract.name}：${node.name}`}
            content={`合同《${contract.name}》的“${node.name}”应于 ${node.plan_date} 履行，已逾期 ${-node.days_left} 天。`}
            owner={node.handler}
          />
        )}
        {node.actions.includes('register') && (
          <Button size="small" type="primary" ghost onClick={onRegister}>
            登记
          </Button>
        )}
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
          {entry.actions.includes('reverse') && (
            <Button size="small" type="link" danger onClick={() => onReverse(entry.id)}>
              冲销
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}

/** Moves, splits or cancels an open row. */
function ChangeDrawer({ node, onClose }: { node: Performance; onClose: () => void }) {
  const whole = (values: Record<string, unknown>) => !values['cancel'];
  return (
    <FormDrawer
      open
      onClose={onClose}
      onDone={() => undefined}
      title={`调整“${node.name}”`}
      name={`contract:node:${node.id}`}
      call={performanceCalls.changePerformance}
      params={{ id: node.id }}
      initial={{ ...node }}
      also={{ version: node.version }}
      submit="保存调整"
      fields={[
        { name: 'name', when: whole },
        { name: 'plan_date', kind: 'date', when: whole },
        ...(node.plan_amount === null
          ? []
          : [
              {
                name: 'plan_amount',
                when: whole,
                kind: 'money' as const,
              },
              {
                name: 'rest_date',
                kind: 'date' as const,
                when: whole,
                help: '金额改小时，余下的金额另成一个节点的日期',
              },
              {
                name: 'audited',
                kind: 'switch' as const,
                help: '按审定额结算，减去或取消的金额不再支付',
              },
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
      ]}
    />
  );
}
