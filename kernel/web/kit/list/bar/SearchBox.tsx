import { Input } from 'antd';
import type { InputRef } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { Ref } from 'react';

const pauseMs = 300;

interface Box {
  text: string;
  /** The last value it received. */
  known: string;
  /** Searches that have not come back as its value yet. */
  asked: readonly string[];
  /** The person is typing: the present text was not searched for yet. */
  typing: boolean;
}

/** Handles a new value: its own searches may come back when more was typed already; values from elsewhere wait while the person types. */
function told(box: Box, value: string): Box {
  const own = box.asked.indexOf(value);
  if (own >= 0) return { ...box, known: value, asked: box.asked.slice(own + 1) };
  return box.typing ? { ...box, known: value } : { text: value, known: value, asked: [], typing: false };
}

/** Search box that owns its text: it searches 300 ms after the last key or the end of a composition, or at once on Enter or when cleared. */
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
  const [box, setBox] = useState<Box>({ text: value, known: value, asked: [], typing: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const composing = useRef(false);
  const latest = useRef(onSearch);
  if (box.known !== value) setBox(told(box, value));
  useEffect(() => {
    latest.current = onSearch;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (next: string, wait: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const text = next.trim();
      setBox((before) => ({
        ...before,
        typing: false,
        asked: text === (before.asked.at(-1) ?? before.known) ? before.asked : [...before.asked, text],
      }));
      latest.current(text);
    }, wait);
  };
  return (
    <Input
      ref={ref}
      className="kit-search"
      allowClear
      maxLength={100}
      placeholder="请输入关键字"
      aria-label={label}
      value={box.text}
      onChange={(event) => {
        const text = event.target.value;
        setBox((before) => ({ ...before, text, typing: true }));
        if (!composing.current) search(text, text ? pauseMs : 0);
      }}
      onCompositionStart={() => {
        composing.current = true;
        clearTimeout(timer.current);
      }}
      onCompositionEnd={(event) => {
        composing.current = false;
        search(event.currentTarget.value, pauseMs);
      }}
      onPressEnter={() => search(box.text, 0)}
    />
  );
}
