import { Button, Select } from 'antd';
import { dayOf } from '#kernel/contract/moment.ts';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { MoneyInput } from '#kernel/web/kit/form/MoneyInput.tsx';
import { direction } from '../../contract/codes.ts';

interface Row {
  direction: number;
  amount?: number;
  until: string;
}
const ways = [
  { value: 1, label: '我方付' },
  { value: 2, label: '对方付' },
];

/** What is still to be paid, either way, when a contract is ended. */
export function SettlementInput({ control }: { control: FieldControl }) {
  const rows = (control.value as Row[] | undefined) ?? [];
  const change = (at: number, next: Partial<Row>) =>
    control.onChange?.(rows.map((row, index) => (index === at ? { ...row, ...next } : row)));
  const blank = { direction: direction.out, until: dayOf(new Date()) };
  return (
    <div id={control.id} className="kit-stack">
      {rows.map((row, at) => (
        <div key={at} className="kit-row">
          <Select
            aria-label="收付"
            options={ways}
            value={row.direction}
            onChange={(direction) => change(at, { direction })}
          />
          <span className="kit-grow">
            <MoneyInput value={row.amount} onChange={(amount) => change(at, { amount: amount as number })} />
          </span>
          <DateInput
            aria-label="结清日期"
            className="kit-filter-date"
            kind="date"
            value={row.until}
            onChange={(until) => change(at, { until })}
          />
          <Button size="small" onClick={() => control.onChange?.(rows.filter((_row, index) => index !== at))}>
            删除
          </Button>
        </div>
      ))}
      <div>
        <Button disabled={rows.length >= 20} onClick={() => control.onChange?.([...rows, blank])}>
          添加结算款项
        </Button>
      </div>
    </div>
  );
}
