import { Form } from 'antd';
import type { FieldError } from '#kernel/contract/refusal.ts';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';

export type Chosen = Readonly<Record<string, string[]>>;
interface Props {
  states: readonly { state_id: number; state_name: string }[];
  /** State id → user names. */
  value: Chosen;
  onChange: (next: Chosen) => void;
  errors: readonly FieldError[];
  disabled: boolean;
}

/** Inputs for the people of later states that the author chooses. */
export function Choose({ states, value, onChange, errors, disabled }: Props) {
  return (
    <Form layout="vertical" component="div" className="kit-form">
      {states.map(({ state_id, state_name }) => {
        const id = `field-choose-${state_id}`;
        const error = errors.find((one) => one.field === 'choose' && one.label === state_name);
        const picked = (usernames: string[]) => {
          const { [state_id]: _before, ...others } = value;
          onChange(usernames.length > 0 ? { ...others, [state_id]: usernames } : others);
        };
        return (
          <Form.Item
            key={state_id}
            label={`“${state_name}”的办理人`}
            htmlFor={id}
            validateStatus={error ? 'error' : ''}
            help={error && <span id={`${id}-error`}>{error.msg}</span>}
          >
            <PersonPicker
              id={id}
              multiple
              disabled={disabled}
              value={value[state_id] ?? []}
              onChange={picked}
              {...(error ? { 'aria-invalid': 'true' as const, 'aria-describedby': `${id}-error` } : {})}
            />
          </Form.Item>
        );
      })}
    </Form>
  );
}
