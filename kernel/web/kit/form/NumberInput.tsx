import { InputNumber, Tooltip, type InputNumberProps } from 'antd';
import { useRef, useState } from 'react';
import { readCell } from '#kernel/contract/sheet/cells.ts';

/** The number that a typed text stands for, '' for an empty text, or the sentence that says why it stands for none. */
export type NumberRead = { value: number | '' } | { asks: string };

export interface NumberInputProps extends Omit<InputNumberProps<number | ''>, 'parser' | 'onInput' | 'onChange'> {
  /** Reads what was typed or pasted. */
  reads?: (typed: string) => NumberRead;
  onChange?: ((value: number | null) => void) | undefined;
}

/** A number: full-width digits, thousands separators and a unit are accepted. A text that is no number is dropped when the field is left, and the field says so. */
export function NumberInput({ reads = numberRead, onChange, ...props }: NumberInputProps) {
  const typed = useRef('');
  const [unread, setUnread] = useState('');
  const check = () => {
    const read = reads(typed.current);
    typed.current = '';
    if ('asks' in read) setUnread(read.asks);
    return 'value' in read;
  };
  return (
    <Tooltip title={unread} open={unread !== ''} trigger={[]}>
      <InputNumber<number | ''>
        {...props}
        {...(unread && { status: 'error' })}
        onChange={(next) => onChange?.(next === '' ? null : next)}
        onInput={(text) => {
          typed.current = text;
          setUnread('');
        }}
        parser={(text) => {
          const read = reads(text ?? '');
          return 'value' in read ? read.value : Number.NaN;
        }}
        onFocus={(event) => {
          setUnread('');
          props.onFocus?.(event);
        }}
        onBlur={(event) => {
          check();
          props.onBlur?.(event);
        }}
        onPressEnter={(event) => {
          // The form must not be sent with the number that stood there before.
          if (!check()) event.preventDefault();
          props.onPressEnter?.(event);
        }}
      />
    </Tooltip>
  );
}

function numberRead(typed: string): NumberRead {
  const digits = typed
    .trim()
    .replace('。', '.')
    .replace(/(\d)\s*(?:\p{L}+|[%％])$/u, '$1');
  if (digits === '') return { value: '' };
  const read = readCell('number', digits);
  if ('asks' in read) return read;
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(read.text)
    ? { value: Number(read.text) }
    : { asks: `“${typed}”不是数字，没有填入` };
}
