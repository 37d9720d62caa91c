import { Input } from 'antd';
import { Phrases } from './Phrases.tsx';

interface Props {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  disabled?: boolean;
}

/** The comment on a decision, with one's own phrases. */
export function Opinion({ value, onChange, error, disabled }: Props) {
  return (
    <div className="ticket-opinion">
      <Input.TextArea
        id="field-suggestion"
        aria-label="意见"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'field-suggestion-error' : undefined}
        status={error ? 'error' : ''}
        autoSize={{ minRows: 1, maxRows: 6 }}
        maxLength={2000}
        placeholder="填写意见"
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
      />
      <Phrases
        typed={value}
        disabled={disabled}
        onPick={(phrase) => onChange(value.trim() === '' ? phrase : `${value.trimEnd()}\n${phrase}`)}
      />
      {error && (
        <span id="field-suggestion-error" className="ticket-failed">
          {error}
        </span>
      )}
    </div>
  );
}
