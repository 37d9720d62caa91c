import { Select } from 'antd';
import type { SelectProps } from 'antd';
import { useEffect, useState } from 'react';

/** The typed words, and the words that are searched for after a pause. */
export interface Searching {
  text: string;
  setText: (text: string) => void;
  search: string;
}
const pauseMs = 250;

export function useSearching(): Searching {
  const [text, setText] = useState('');
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return { text, setText, search };
}

type Kept = 'id' | 'disabled' | 'placeholder' | 'value' | 'onChange' | 'options' | 'loading' | 'mode' | 'maxCount';
interface Props extends Pick<SelectProps, Kept> {
  searching: Searching;
  /** Advice if nothing is found: 可换姓名再试. */
  hint: string;
  'aria-label'?: string | undefined;
  'aria-invalid'?: 'true' | undefined;
  'aria-describedby'?: string | undefined;
}

/** Picks from the server's matches for the typed words. */
export function SearchSelect({ searching: { text, setText }, hint, loading, ...rest }: Props) {
  return (
    <Select
      {...rest}
      className="kit-wide"
      allowClear
      loading={loading}
      showSearch={{ filterOption: false, onSearch: setText, searchValue: text }}
      notFoundContent={loading ? '正在查找' : `没有找到，${hint}`}
    />
  );
}
