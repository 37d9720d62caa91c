import { CalendarOutlined } from '@ant-design/icons';
import { Button, Input, Popover } from 'antd';
import type { InputProps } from 'antd';
import { Suspense, useState, type KeyboardEvent } from 'react';
import { later } from '../../../later.tsx';
import { useNarrow } from '../../narrow.ts';
import './date.css';
import { patterns, readDate, shownDate, type DateKind } from './dates.ts';

const DateChoice = later(() => import('./DateChoice.tsx'));

type Look = 'id' | 'className' | 'style' | 'title' | 'prefix' | 'allowClear' | 'disabled';
interface Props extends Pick<InputProps, Look | Extract<keyof InputProps, `aria-${string}`>> {
  kind: DateKind;
  value: string | null | undefined;
  /** Receives the value that the browser's own field would give, '', or typed text that is no date. */
  onChange: (value: string) => void;
  /** The earliest date that is offered. */
  min?: string | undefined;
  /** Text that is no date is not passed on: the field shows its previous value again. */
  only?: boolean;
}

/** A date in our own format, whatever the browser's language: typed, or chosen from a calendar. A phone uses its own input, which is better there. */
export function DateInput({ kind, value, onChange, min, only, ...look }: Props) {
  const narrow = useNarrow();
  if (!narrow)
    return <TypedDate {...look} kind={kind} value={value} onChange={onChange} min={min} only={only ?? false} />;
  return (
    <Input
      {...look}
      type={kind}
      min={min || undefined}
      value={value ?? ''}
      onChange={({ target }) => (only && target.value === '' && !look.allowClear ? undefined : onChange(target.value))}
    />
  );
}

function TypedDate({ kind, value, onChange, min, only, ...look }: Props) {
  const given = value ?? '';
  const [text, setText] = useState(shownDate(kind, given));
  const [known, setKnown] = useState(given);
  const [open, setOpen] = useState(false);
  if (known !== given) {
    setKnown(given);
    setText(shownDate(kind, given));
  }
  const { hint, length } = patterns[kind];
  // A date that is still being typed is not reported: the first of January may become the twelfth.
  const type = (next: string) => {
    setText(next);
    const read = readDate(kind, next);
    if (next === '' && (!only || look.allowClear)) onChange('');
    else if (read && next.trim().length >= length) onChange(read);
  };
  const settle = () => {
    const read = readDate(kind, text);
    if (read) {
      setText(shownDate(kind, read));
      if (shownDate(kind, read) !== shownDate(kind, given)) onChange(read);
    } else if (only) setText(shownDate(kind, given));
    else if (text !== given) onChange(text);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter') settle();
    else if (event.key === 'ArrowDown' && event.altKey) setOpen(true);
    else if (event.key === 'Escape' && open) {
      setOpen(false);
      event.stopPropagation();
    }
  };
  const field = (
    <Input
      {...look}
      className={`kit-date ${look.className ?? ''}`}
      htmlSize={length}
      placeholder={hint}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      onChange={({ target }) => type(target.value)}
      onBlur={settle}
      onKeyDown={keys}
      suffix={
        kind === 'time' ? undefined : (
          <Button
            type="text"
            size="small"
            tabIndex={-1}
            disabled={look.disabled ?? false}
            icon={<CalendarOutlined aria-hidden="true" />}
            aria-label="打开日历"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          />
        )
      }
    />
  );
  if (kind === 'time') return field;
  return (
    <Popover
      open={open}
      onOpenChange={(shown) => shown || setOpen(false)}
      trigger="click"
      placement="bottomLeft"
      destroyOnHidden
      content={
        <Suspense fallback={<div className="kit-date-choice" />}>
          <DateChoice
            kind={kind}
            value={readDate(kind, text)}
            min={min}
            onPick={(next, done) => {
              onChange(next);
              if (done) setOpen(false);
            }}
          />
        </Suspense>
      }
    >
      {field}
    </Popover>
  );
}
