import { Input, Select, Switch } from 'antd';
import type { ReactNode } from 'react';
import { MoneyInput } from './MoneyInput.tsx';
import { DateInput } from './date/DateInput.tsx';
import type { DateKind } from './date/dates.ts';
import { counted } from './parts/counted.ts';
import type { FieldRule } from './rules.ts';
import { NumberInput } from './NumberInput.tsx';

export interface FieldControl {
  id?: string;
  value?: unknown;
  onChange?: (value: unknown) => void;
  disabled?: boolean;
  /** Set by the form while the field has an error. */
  'aria-invalid'?: 'true';
  'aria-describedby'?: string;
}

export interface FormField {
  /** Key of the call's body. */
  name: string;
  /** The label, if it differs from the title in the schema of the body. */
  label?: string;
  help?: string;
  /** Fields of one group stand together under its heading. */
  group?: string;
  kind?: 'text' | 'textarea' | 'password' | 'number' | 'money' | 'switch' | 'select' | DateKind;
  options?: { value: string | number; label: string }[];
  multiple?: boolean;
  placeholder?: string;
  autoComplete?: string;
  /** For a date: the name of the field whose date it must not precede. */
  notBefore?: string;
  /** A custom field: a picker, an editor. */
  render?: (control: FieldControl, values: Record<string, unknown>, label: string) => ReactNode;
  /** Required to send, though not for a draft, which its schema cannot express. */
  needed?: boolean;
  /** Read-only: shown with its given value. */
  given?: boolean;
  /** The field is shown only while this is true; a hidden field is not sent. */
  when?: (values: Record<string, unknown>) => boolean;
}

/** A field with its label. */
export interface NamedField extends FormField {
  label: string;
}

/** The control of a field, chosen by its kind or else by its schema. */
export function FieldInput({
  field,
  rule,
  control,
  values,
}: {
  field: NamedField;
  rule: FieldRule;
  control: FieldControl;
  values: Record<string, unknown>;
}) {
  if (field.render) return <>{field.render(control, values, field.label)}</>;
  const { id, value, onChange, disabled } = control;
  const kind = field.kind ?? kindOf(rule);
  const common = {
    id,
    disabled,
    placeholder: field.placeholder,
    'aria-required': rule.required || field.needed || undefined,
    'aria-invalid': control['aria-invalid'],
    'aria-describedby': control['aria-describedby'],
  };
  switch (kind) {
    case 'switch':
      return <Switch id={id} disabled={disabled} checked={Boolean(value)} onChange={onChange} />;
    case 'number':
      return (
        <NumberInput
          {...common}
          className="kit-wide"
          value={value as number | null}
          min={rule.min}
          max={rule.max}
          precision={rule.integer ? 0 : undefined}
          onChange={(next) => onChange?.(next ?? undefined)}
        />
      );
    case 'money':
      return <MoneyInput {...common} value={value} onChange={onChange} />;
    case 'select':
      return (
        <Select
          {...common}
          placeholder={field.placeholder ?? `请选择${field.label}`}
          allowClear={!rule.required && !field.needed}
          mode={field.multiple || rule.type === 'list' ? 'multiple' : undefined}
          showSearch={{ optionFilterProp: 'label' }}
          options={field.options ?? rule.choices?.map((choice) => ({ value: choice, label: choice }))}
          value={value}
          onChange={onChange}
        />
      );
    case 'textarea':
      return (
        <Input.TextArea
          {...common}
          autoSize={{ minRows: 3, maxRows: 12 }}
          {...counted(rule.max)}
          showCount={rule.max !== undefined}
          value={value as string}
          onChange={(event) => onChange?.(event.target.value)}
        />
      );
    case 'password':
      return (
        <Input.Password
          {...common}
          autoComplete={field.autoComplete ?? 'off'}
          maxLength={rule.max}
          value={value as string}
          onChange={(event) => onChange?.(event.target.value)}
        />
      );
    case 'date':
    case 'datetime-local':
    case 'time':
    case 'month': {
      const { placeholder: _hint, ...look } = common;
      return (
        <DateInput
          {...look}
          kind={kind}
          min={earliest(field, values)}
          value={value as string}
          onChange={(next) => onChange?.(next)}
        />
      );
    }
    default:
      return (
        <Input
          {...common}
          type={kind}
          autoComplete={field.autoComplete ?? 'off'}
          {...counted(kind === 'text' ? rule.max : undefined)}
          value={value as string}
          onChange={(event) => onChange?.(event.target.value)}
        />
      );
  }
}

/** For a time the limit is the beginning of the day. */
function earliest({ kind, notBefore }: FormField, values: Record<string, unknown>): string | undefined {
  const first = notBefore === undefined ? null : values[notBefore];
  if (typeof first !== 'string' || first === '') return undefined;
  return kind === 'datetime-local' && first.length === 10 ? `${first}T00:00` : first;
}

function kindOf(rule: FieldRule): NonNullable<FormField['kind']> {
  if (rule.type === 'flag') return 'switch';
  if (rule.type === 'number' || rule.type === 'money') return rule.type;
  if (rule.type === 'date') return 'date';
  if (rule.type === 'moment') return 'datetime-local';
  if (rule.type === 'choice' || rule.type === 'list') return 'select';
  return (rule.max ?? 0) > 200 ? 'textarea' : 'text';
}
