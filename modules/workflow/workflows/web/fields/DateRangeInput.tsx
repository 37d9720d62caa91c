import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';

interface Props {
  control: FieldControl;
  label: string;
}

/** Two days, the later not before the earlier; its value is both of them, with an empty text for a missing one. */
export function DateRangeInput({ control, label }: Props) {
  const { id, value, onChange, disabled } = control;
  const [from = '', to = ''] = Array.isArray(value) ? (value as string[]) : [];
  const put = (next: readonly [string, string]) => onChange?.(next.every((day) => day === '') ? null : [...next]);
  const common = {
    kind: 'date' as const,
    disabled: disabled ?? false,
    'aria-invalid': control['aria-invalid'],
    'aria-describedby': control['aria-describedby'],
  };
  return (
    <div className="ticket-range" role="group" aria-label={label}>
      <DateInput
        {...common}
        id={id}
        aria-label={`${label}开始日期`}
        value={from}
        onChange={(day) => put([day, to !== '' && to < day ? day : to])}
      />
      <span>至</span>
      <DateInput
        {...common}
        aria-label={`${label}结束日期`}
        min={from || undefined}
        value={to}
        onChange={(day) => put([from, day])}
      />
    </div>
  );
}
