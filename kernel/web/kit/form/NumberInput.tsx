import { InputNumber, Tooltip, type InputNumberProps } from 'antd';
import { useState } from 'react';
import { readCell } from '#kernel/contract/sheet/cells.ts';
import { useHold } from './parts/waiting.ts';

/** The number that a typed text stands for, '' for an empty text, or the sentence that says why it stands for none. */
export type NumberRead = { value: number | '' } | { asks: string };

export interface NumberInputProps extends Omit<InputNumberProps<number | ''>, 'parser' | 'onInput' | 'onChange'> {
  /** Reads what was typed or pasted. */
  reads?: (typed: string) => NumberRead;
  onChange?: ((value: number | null) => void) | undefined;
}

/**
 * A number: full-width digits, thousands separators and a unit are accepted. A text that is no number is dropped when the field is left, for the
 * number that stood before; the field says so, and its form is not sent until the number is entered anew.
 */
export function NumberInput({ reads = numberRead, onChange, ...props }: NumberInputProps) {
  const { value } = props;
  /** The text since the field was entered or last read; null if nothing was typed. */
  const [typed, setTyped] = useState<string | null>(null);
  const [unread, setUnread] = useState('');
  const [before, setBefore] = useState(value);
  /** The value that the field itself reported last, as when it rounds a number once it is left; null after a number from elsewhere. */
  const [reported, setReported] = useState<{ value: number | null } | null>(null);
  // Nothing is asked any more about a number that was replaced from elsewhere, as by a restored draft.
  if (typed === null && !Object.is(before, value)) {
    setBefore(value);
    if (!reported || !Object.is(reported.value, value ?? null)) {
      setReported(null);
      setUnread('');
    }
  }
  // A touch may send the form before the field is left, so that a text holds it back while it is typed.
  const typing = typed === null ? null : reads(typed);
  useHold(unread || (typing && 'asks' in typing ? typing.asks : ''), false, unread === '');
  const settle = () => {
    const read = reads(typed ?? '');
    setTyped(null);
    setBefore(value);
    if ('asks' in read) setUnread(read.asks);
    return 'value' in read;
  };
  return (
    <Tooltip title={unread} open={unread !== ''} trigger={[]}>
      <InputNumber<number | ''>
        {...props}
        {...(unread && { status: 'error', 'aria-invalid': 'true' })}
        onChange={(next) => {
          const number = next === '' ? null : next;
          setReported({ value: number });
          onChange?.(number);
        }}
        // Also without a change of text, where the number that stands there is entered once more.
        onInputCapture={() => setUnread('')}
        onInput={(text) => {
          setTyped(text);
          setUnread('');
        }}
        parser={(text) => {
          const read = reads(text ?? '');
          // Typed key by key, “3-5” begins with a number, which must not remain.
          return 'value' in read ? read.value : (before ?? '');
        }}
        onStep={(...step) => {
          setTyped(null);
          setUnread('');
          props.onStep?.(...step);
        }}
        onBlur={(event) => {
          settle();
          props.onBlur?.(event);
        }}
        onPressEnter={(event) => {
          // The form must not be sent with the number that stood there before.
          if (!settle()) event.preventDefault();
          props.onPressEnter?.(event);
        }}
      />
    </Tooltip>
  );
}

/** Signs that the word behind a number is no unit: it multiplies it, adds to it or says that it is not exact. */
const quantity = '零〇一二两三四五六七八九十廿卅百千万萬亿億兆半多余几来成折以约左右上下';
const unit = new RegExp(
  String.raw`(\d)\s*(?:(?!\p{L}*[${quantity}])\p{Script=Han}{1,4}|mm|cm|km|m|mg|kg|g|t|ml|mL|L|h|min|s|KB|MB|GB|%)$`,
  'u',
);

function numberRead(typed: string): NumberRead {
  const digits = typed.normalize('NFKC').trim().replace('。', '.').replace(unit, '$1');
  if (digits === '') return { value: '' };
  const read = readCell('number', digits);
  if ('asks' in read) return read;
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(read.text)
    ? { value: Number(read.text) }
    : { asks: `“${typed}”不是数字，没有填入` };
}
