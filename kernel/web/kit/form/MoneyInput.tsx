import { maxMoney, moneyRead, moneyText } from '#kernel/contract/money/money.ts';
import type { FieldControl } from './FieldInput.tsx';
import { NumberInput, type NumberInputProps, type NumberRead } from './NumberInput.tsx';

/** An amount in yuan: shown with separators and two decimals once the field is left; accepts it as typed or pasted. */
export function MoneyInput({ value, onChange, ...control }: FieldControl) {
  return (
    <NumberInput
      {...control}
      className="kit-wide"
      inputMode="decimal"
      prefix="¥"
      suffix="元"
      controls={false}
      precision={2}
      min={0}
      max={maxMoney}
      value={value as number | null | undefined}
      onChange={(next) => onChange?.(next ?? undefined)}
      formatter={shownAmount}
      reads={amountRead}
    />
  );
}

// One function for all renderings, because the text would be formatted anew with every other one, also while it is typed.
const shownAmount: NonNullable<NumberInputProps['formatter']> = (shown, { userTyping, input }) => {
  if (userTyping) return input;
  return shown === undefined || String(shown) === '' ? '' : moneyText(Number(shown));
};

/**
 * Separators may stand anywhere before a decimal point, because they stay while the digits between them are edited, and the amount is shown with its
 * own as soon as the field is left. Without a point, a comma before the last one or two digits could be one.
 */
function amountRead(typed: string): NumberRead {
  const plain = typed.normalize('NFKC');
  if (!/[.。]/.test(plain) && /,\s*\d{1,2}\s*元?\s*$/.test(plain))
    return { asks: `“${typed}”中的逗号看不出是不是小数点，没有填入，请输入如 1234.50` };
  const digits = typed.replace(/[\s,，]/g, '');
  const amount = digits === '' ? '' : moneyRead(digits);
  return amount === null ? { asks: `“${typed}”不是金额，没有填入，请输入如 1234.50` } : { value: amount };
}
