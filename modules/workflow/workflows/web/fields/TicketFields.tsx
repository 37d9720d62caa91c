import { Form } from 'antd';
import type { FieldError } from '#kernel/contract/refusal.ts';
import { fieldType } from '../../engine/codes.ts';
import type { FieldItem } from '../../contract/shapes.ts';
import { HoldContext, useHeld, useHold } from '#kernel/web/kit/form/parts/waiting.ts';
import { News } from '#kernel/web/kit/show/News.tsx';
import { valueIn } from '../../engine/fields/dates.ts';
import { CountedDays } from './CountedDays.tsx';
import { FieldEdit } from './FieldEdit.tsx';
import { FieldValue } from './FieldValue.tsx';
import './fields.css';

interface Props {
  items: readonly FieldItem[];
  /** Keys of fields to be marked as changed by others. */
  changed?: ReadonlySet<string>;
  /** Values typed and not sent yet, by field key. */
  edited: Readonly<Record<string, unknown>>;
  errors: readonly FieldError[];
  onEdit: (key: string, value: unknown) => void;
  disabled?: boolean;
  /** The ticket's workflow. */
  workflow?: number;
}

/** The writable fields of a form, with labels above and required ones marked. */
export function TicketFields(props: Props) {
  const { items, edited } = props;
  return (
    <Form layout="vertical" component="div" className="kit-form">
      {items.map((item) => (
        <Field key={item.field_key} item={item} {...props} />
      ))}
      <CountedDays items={items} edited={edited} />
    </Form>
  );
}

function Field({ item, items, changed, edited, errors, onEdit, disabled, workflow }: Props & { item: FieldItem }) {
  const { field_key: key } = item;
  const { held, hold } = useHeld();
  const unread = held.find(({ passes, typing }) => !passes && !typing);
  // The form around waits for the same.
  useHold(held[0]?.says ?? '', held[0]?.passes ?? false, held[0]?.typing);
  const error = unread?.says ?? errors.find((one) => one.field === key)?.msg;
  const id = `field-${key}`;
  const grouped = item.field_type_id === fieldType.radio || item.field_type_id === fieldType.table;
  const read = item.field_attribute === 1;
  const value = !read && key in edited ? edited[key] : (item.field_value ?? undefined);
  return (
    <Form.Item
      label={<Label item={item} changed={changed} />}
      {...(grouped ? {} : { htmlFor: id })}
      required={item.field_attribute === 2}
      extra={item.field_type_id === fieldType.note ? undefined : item.description}
      validateStatus={error ? 'error' : ''}
      help={error && <span id={`${id}-error`}>{error}</span>}
    >
      <HoldContext value={hold}>
        <FieldEdit
          item={item}
          values={Object.fromEntries(items.map(({ field_key }) => [field_key, valueIn(items, edited)(field_key)]))}
          workflow={workflow}
          control={{
            id,
            value: value ?? undefined,
            onChange: (next) => onEdit(key, next ?? null),
            ...(disabled ? { disabled } : {}),
            ...(error ? { 'aria-invalid': 'true' as const, 'aria-describedby': `${id}-error` } : {}),
          }}
        />
      </HoldContext>
    </Form.Item>
  );
}

/** Read-only fields, as a description list. */
export function TicketFacts({ items, changed }: Pick<Props, 'items' | 'changed'>) {
  return (
    <>
      <dl className="ticket-facts">
        {items.map((item) => (
          <div key={item.field_key}>
            <dt>
              <Label item={item} changed={changed} />
            </dt>
            <dd>
              <FieldValue item={item} />
            </dd>
          </div>
        ))}
      </dl>
      <CountedDays items={items} />
    </>
  );
}

function Label({ item, changed }: { item: FieldItem; changed: ReadonlySet<string> | undefined }) {
  return (
    <>
      {changed?.has(item.field_key) && <News what="您上次查看后有修改" />}
      {item.field_name}
    </>
  );
}

/** Moves the focus to a field with an error. */
export function focusField(key: string): void {
  const field = document.getElementById(`field-${key}`);
  field?.scrollIntoView({ block: 'center' });
  (field?.querySelector('input') ?? field)?.focus();
}
