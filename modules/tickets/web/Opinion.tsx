import { Button, Input } from 'antd';
import { usePreference } from '#kernel/web/kit/preferences.tsx';

interface Props {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  disabled?: boolean;
}

const usual = ['情况属实，同意办理', '请补充说明后再提交'];

/** What one says with a decision, with phrases of one's own. */
export function Opinion({ value, onChange, error, disabled }: Props) {
  const [phrases, save] = usePreference<string[]>('phrases', usual);
  const typed = value.trim();
  return (
    <div className="ticket-opinion">
      <Input.TextArea
        id="field-suggestion"
        aria-label="意见"
        aria-invalid={error ? true : undefined}
        status={error ? 'error' : ''}
        autoSize={{ minRows: 1, maxRows: 6 }}
        maxLength={2000}
        placeholder="填写意见"
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
      />
      <div className="kit-row">
        {phrases.map((phrase) => (
          <Button
            key={phrase}
            size="small"
            type="dashed"
            aria-label={`填入常用语：${phrase}`}
            disabled={disabled}
            onClick={() => onChange(phrase)}
          >
            {phrase}
          </Button>
        ))}
        {typed !== '' && typed.length <= 30 && !phrases.includes(typed) && (
          <Button size="small" type="text" onClick={() => save([...phrases, typed].slice(-8))}>
            存为常用语
          </Button>
        )}
        {error && <span role="alert">{error}</span>}
      </div>
    </div>
  );
}
