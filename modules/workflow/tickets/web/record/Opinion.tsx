import { Button } from 'antd';
import { useState } from 'react';
import { FilesInput } from '#modules/platform/files/widgets.tsx';
import { PeopleField } from '#modules/workflow/workflows/widgets.tsx';
import { withPerson, type Beside } from '../actions/asking.ts';
import { MentionBox } from '../actions/MentionBox.tsx';
import { opinionKinds } from '../actions/opinion-kinds.ts';
import { Phrases } from './Phrases.tsx';

interface Props {
  value: string;
  beside: Beside;
  onChange: (value: string) => void;
  onBeside: (part: Partial<Beside>) => void;
  error?: string | undefined;
  disabled?: boolean;
}

/** The comment on a decision, with one's own phrases, people after `@`, and files. */
export function Opinion({ value, beside, onChange, onBeside, error, disabled = false }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <div className="ticket-opinion">
      <MentionBox
        id="field-suggestion"
        aria-label="意见"
        {...(error && { 'aria-invalid': 'true', 'aria-describedby': 'field-suggestion-error' })}
        status={error ? 'error' : ''}
        rows={{ minRows: 1, maxRows: 6 }}
        placeholder="填写意见，输入 @ 可提到同事"
        value={value}
        disabled={disabled}
        onChange={onChange}
        onMention={(username) => onBeside({ mentions: withPerson(beside.mentions, username) })}
      />
      {beside.mentions.length > 0 && (
        <div className="ticket-mentioned">
          <label htmlFor="field-suggestion_mentions">提到</label>
          <PeopleField
            id="field-suggestion_mentions"
            one={false}
            disabled={disabled}
            value={beside.mentions}
            onChange={(mentions) => onBeside({ mentions })}
          />
        </div>
      )}
      <Phrases
        typed={value}
        disabled={disabled}
        onPick={(phrase) => onChange(value.trim() === '' ? phrase : `${value.trimEnd()}\n${phrase}`)}
      />
      {open || beside.files.length > 0 ? (
        <FilesInput
          id="field-suggestion_files"
          label="意见的附件"
          module="tickets"
          accept={opinionKinds}
          max={20}
          value={beside.files}
          disabled={disabled}
          onChange={(files) => {
            // It stays open while the last file is replaced.
            setOpen(true);
            onBeside({ files });
          }}
        />
      ) : (
        <Button type="link" size="small" disabled={disabled} onClick={() => setOpen(true)}>
          添加附件
        </Button>
      )}
      {error && (
        <span id="field-suggestion-error" className="ticket-failed">
          {error}
        </span>
      )}
    </div>
  );
}
