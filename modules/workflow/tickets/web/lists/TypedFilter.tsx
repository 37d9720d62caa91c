import { Input } from 'antd';
import { useState } from 'react';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';

interface Props {
  label: string;
  type: 'text' | 'number' | 'date';
  value: string;
  onChange: (value: string) => void;
}

/** A text filter: it applies on Enter, on blur, and when it is emptied. */
export function TypedFilter({ label, type, value, onChange }: Props) {
  const [taken, setTaken] = useState(value);
  const [typed, setTyped] = useState(value);
  if (taken !== value) {
    setTaken(value);
    setTyped(value);
  }
  const done = () => typed.trim() !== value && onChange(typed.trim());
  const look = { className: `kit-filter ticket-typed ticket-typed-${type}`, 'aria-label': label, title: label };
  if (type === 'date')
    return <DateInput {...look} kind="date" only allowClear prefix={label} value={value} onChange={onChange} />;
  return (
    <Input
      {...look}
      type={type}
      placeholder={label}
      prefix={typed === '' ? undefined : label}
      allowClear
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onClear={() => onChange('')}
      onBlur={done}
      onPressEnter={done}
    />
  );
}
