import { keepPreviousData } from '@tanstack/react-query';
import { Mentions } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import { lookups } from '#modules/platform/people/contract/lookups.ts';

interface Props {
  id: string;
  value: string;
  disabled: boolean;
  onChange: (words: string) => void;
  /** Called with the user name of the person chosen after `@`. */
  onMention: (username: string) => void;
  /** The lines shown; it grows with the text. */
  rows?: { minRows: number; maxRows: number };
  placeholder?: string;
  status?: '' | 'error';
  'aria-label'?: string;
  'aria-invalid'?: 'true';
  'aria-describedby'?: string;
}

/** A text box in which `@` finds people by name or pinyin. */
export function MentionBox({
  id,
  value,
  disabled,
  onChange,
  onMention,
  rows,
  placeholder,
  status = '',
  ...aria
}: Props) {
  const { search, setText } = useSearching();
  const { data = [], isFetching } = useCall(
    lookups.simpleUsers,
    { query: { search_value: search, limit: 8 } },
    { placeholderData: keepPreviousData, enabled: search !== '' },
  );
  return (
    <Mentions
      {...aria}
      id={id}
      {...(rows ? { autoSize: rows } : { rows: 4 })}
      status={status}
      maxLength={2000}
      disabled={disabled}
      placeholder={placeholder ?? '输入 @ 和姓名可提到同事'}
      value={value}
      loading={isFetching}
      filterOption={false}
      notFoundContent={search === '' ? '请输入姓名或拼音' : '没有找到，可换姓名或拼音再试'}
      options={data.map((person) => ({
        key: person.username,
        username: person.username,
        value: person.alias,
        label: person.dept_name ? `${person.alias}（${person.dept_name}）` : person.alias,
      }))}
      onSearch={setText}
      onChange={onChange}
      // The library changes the key, and keeps the option's other fields.
      onSelect={(option) => {
        const chosen = data.find(({ username }) => 'username' in option && option.username === username);
        if (chosen) onMention(chosen.username);
      }}
    />
  );
}
