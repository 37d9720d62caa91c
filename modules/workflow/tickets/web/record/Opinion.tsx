import { Button } from 'antd';
import { useState } from 'react';
import { FilesInput } from '#modules/platform/files/widgets.tsx';
import { MentionBox } from '../actions/MentionBox.tsx';
import { opinionKinds } from '../actions/opinion-kinds.ts';
import { Phrases } from './Phrases.tsx';

/** The additions to the words of an opinion. */
export interface Beside {
  /** Ids of files. */
  files: readonly number[];
  /** People chosen after `@`: their user names by the names in the text. */
  mentions: Readonly<Record<string, string>>;
}
export const nothingBeside: Beside = { files: [], mentions: {} };

/** The user names of the people whom the text still mentions. */
export const mentionedIn = (words: string, { mentions }: Beside): string[] =>
  Object.entries(mentions).flatMap(([alias, username]) => (words.includes(`@${alias}`) ? [username] : []));

interface Props {
  value: string;
  beside: Beside;
  onChange: (value: string) => void;
  onBeside: (beside: Beside) => void;
  /** Called when the upload of files begins and ends. */
  onWait: (waiting: boolean) => void;
  error?: string | undefined;
  disabled?: boolean;
}

/** The comment on a decision, with one's own phrases, people after `@`, and files. */
export function Opinion({ value, beside, onChange, onBeside, onWait, error, disabled = false }: Props) {
  const [open, setOpen] = useState(beside.files.length > 0);
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
        onMention={(username, alias) => onBeside({ ...beside, mentions: { ...beside.mentions, [alias]: username } })}
      />
      <Phrases
        typed={value}
        disabled={disabled}
        onPick={(phrase) => onChange(value.trim() === '' ? phrase : `${value.trimEnd()}\n${phrase}`)}
      />
      {open ? (
        <FilesInput
          id="field-suggestion_files"
          label="意见的附件"
          module="tickets"
          accept={opinionKinds}
          max={20}
          value={beside.files}
          disabled={disabled}
          onChange={(files) => onBeside({ ...beside, files })}
          onWait={onWait}
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
