import { Form } from 'antd';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';

interface Props {
  /** The user name of the applicant; undefined for oneself. */
  value: string | undefined;
  /** Set if one may not start it in one's own name. */
  required: boolean;
  /** The present applicant, so that the name shows at once. */
  known: { username: string; alias: string };
  /** Why it may not be started for the applicant; empty if it may. */
  msg: string;
  disabled: boolean;
  onChange: (username: string | undefined) => void;
}

/** Chooses the person in whose name a ticket is started. */
export function Applicant({ value, required, known, msg, disabled, onChange }: Props) {
  return (
    <Form layout="vertical" component="div">
      <Form.Item
        label="申请人"
        required={required}
        htmlFor="start-applicant"
        {...(msg && { validateStatus: 'error', help: msg })}
        extra={value === undefined ? undefined : '以申请人的名义提交，记录写明由您代为发起'}
      >
        <PersonPicker
          id="start-applicant"
          placeholder={required ? '请选择申请人' : '本人，可改为代他人发起'}
          disabled={disabled}
          value={value}
          known={value === known.username ? [{ id: 0, dept_id: null, dept_name: '', ...known }] : []}
          onChange={onChange}
        />
      </Form.Item>
    </Form>
  );
}
