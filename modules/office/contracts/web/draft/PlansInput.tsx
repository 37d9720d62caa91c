import { Button, Progress, Select } from 'antd';
import { useState } from 'react';
import { dayOf } from '#kernel/contract/moment.ts';
import { moneyText } from '#kernel/contract/money/money.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import type { Instead } from '#kernel/web/kit/form/fields.ts';
import { RowsInput } from '#kernel/web/kit/form/rows/RowsInput.tsx';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { HoldContext, useHeld } from '#kernel/web/kit/form/parts/waiting.ts';
import { direction, planKind } from '../../contract/codes.ts';
import { ContractInput, type Plan } from '../../contract/shapes.ts';
import { byMonths, byShares, sumOf } from './plans.ts';
import '../contracts.css';

const withMoney: readonly number[] = [
  planKind.payment,
  planKind.receipt,
  planKind.deposit,
  planKind.invoice,
  planKind.other,
];
const shares = [
  { value: '30,60,10', label: '30% / 60% / 10%' },
  { value: '50,50', label: '50% / 50%' },
  { value: '30,70', label: '30% / 70%' },
  { value: '95,5', label: '95% / 5% 质保金' },
  { value: '100', label: '一次付清' },
];

/** The usual kind of plan for each direction; none without money. */
const planned: Partial<Record<number, typeof planKind.payment | typeof planKind.receipt>> = {
  [direction.out]: planKind.payment,
  [direction.in]: planKind.receipt,
};
const isDeposit = (row: Readonly<Record<string, unknown>>) => row['kind'] === planKind.deposit;
const columns: Instead = {
  direction: { when: isDeposit },
  gives_back: { when: isDeposit },
  condition: { placeholder: '如：验收合格后' },
  plan_amount: { when: ({ kind }) => withMoney.includes(Number(kind)) },
};
/** Fields that the new kind does not have are dropped. */
const settled = (row: Readonly<Record<string, unknown>>, key: string) => {
  if (key !== 'kind') return row;
  const { direction, gives_back, ...rest } = row;
  const kept = withMoney.includes(Number(row['kind'])) ? rest : { ...rest, plan_amount: null };
  return isDeposit(row) ? { ...kept, direction, gives_back } : kept;
};

/** Planned rows, with buttons to generate them by shares or months, and their sum compared with the amount. */
export function PlansInput({ control, values }: { control: FieldControl; values: Record<string, unknown> }) {
  const { value, onChange, disabled = false } = control;
  const [months, setMonths] = useState(12);
  // The number of months is none of the form's values: only the button waits for it.
  const { held, hold } = useHeld();
  const plans = (value as Plan[] | undefined) ?? [];
  const pays = planned[Number(values['pay_direction'] ?? direction.out)];
  const amount = Number(values['amount'] ?? 0);
  const start =
    typeof values['start_date'] === 'string' && values['start_date'] ? values['start_date'] : dayOf(new Date());
  const rest = plans.filter((plan) => plan.kind !== pays);
  const put = (made: Plan[]) => onChange?.([...made, ...rest]);
  const fresh = (rows: readonly Readonly<Record<string, unknown>>[]): Plan => ({
    kind: pays ?? planKind.delivery,
    period: Math.max(0, ...rows.map((row) => Number(row['period'] ?? 0))) + 1,
    name: '',
    condition: '',
    plan_date: start,
  });
  return (
    <div className="kit-stack">
      {pays && (
        <div className="kit-row">
          <Select
            className="kit-filter"
            aria-label="按比例生成"
            placeholder="按比例生成"
            disabled={disabled || amount <= 0}
            options={shares}
            value={null}
            onChange={(text: string | null) => text && put(byShares(pays, amount, text.split(',').map(Number), start))}
          />
          <HoldContext value={hold}>
            <NumberInput
              aria-label="期数"
              min={1}
              max={120}
              precision={0}
              value={months}
              onChange={(n) => setMonths(n ?? 12)}
              suffix="期"
            />
          </HoldContext>
          <Button
            disabled={disabled || amount <= 0 || held.length > 0}
            onClick={() => put(byMonths(pays, amount, months, start))}
          >
            按月生成
          </Button>
        </div>
      )}
      <RowsInput
        control={control}
        of={ContractInput.shape.plans}
        instead={columns}
        fresh={fresh}
        settled={settled}
        add="添加节点"
        tools={pays && <PlanBar planned={sumOf(plans, pays)} amount={amount} />}
      />
    </div>
  );
}

/** 计划合计 beside 合同金额. */
export function PlanBar({ planned, amount }: { planned: number; amount: number }) {
  const even = planned === amount && amount > 0;
  return (
    <span className="kit-grow">
      计划合计 {moneyText(planned)} / 合同金额 {moneyText(amount)} 元{' '}
      {planned !== amount && (
        <span className="contract-late">
          {planned < amount ? `还差 ${moneyText(amount - planned)}` : `多出 ${moneyText(planned - amount)}`}
        </span>
      )}
      <Progress
        percent={amount > 0 ? Math.min(100, Math.round((planned * 100) / amount)) : 0}
        status={even ? 'success' : planned > amount ? 'exception' : 'normal'}
        size="small"
        aria-label="计划合计占合同金额"
      />
    </span>
  );
}
