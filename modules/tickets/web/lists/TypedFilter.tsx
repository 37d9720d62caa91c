import { Input } from 'antd';
import { useState } from 'react';

interface Props {
  label: string;
  type: 'text' | 'number' | 'date';
  value: string;
  onChange: (value: string) => void;
}

/** A filter one types into: it counts on Enter, on leaving it, and when it is emptied. */
export function TypedFilter({ label, type, value, onChange }: Props) {
  const [taken, setTaken] = useState(value);
  const [typed, setTyped] = useState(value);
  if (taken !== value) {
    setTaken(value);
    setTyped(value);
  }
  const done = () => typed.trim() !== value && onChange(typed.trim());
  return (
    <Input
      className={`kit-filter ticket-typed ticket-typed-${type}`}
      type={type}
      aria-label={label}
      title={label}
      placeholder={label}
      prefix={type === 'date' || typed !== '' ? label : undefined}
      allowClear
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onClear={() => onChange('')}
      onBlur={done}
      onPressEnter={done}
    />
  );
}
