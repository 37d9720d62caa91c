import { Input } from 'antd';
import type { InputRef } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { Ref } from 'react';

/** Search box that searches 300 ms after the last key, at once on Enter or when cleared. */
export function SearchBox({
  value,
  onSearch,
  label = '搜索',
  ref,
}: {
  value: string;
  onSearch: (text: string) => void;
  label?: string;
  ref?: Ref<InputRef>;
}) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (next: string, wait: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(next.trim()), wait);
  };
  return (
    <Input
      ref={ref}
      className="kit-search"
      allowClear
      maxLength={100}
      placeholder="请输入关键字"
      aria-label={label}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        search(event.target.value, event.target.value ? 300 : 0);
      }}
      onPressEnter={() => search(text, 0)}
    />
  );
}
