import { maxMoney, moneyRead, moneyText } from '#kernel/contract/money/money.ts';
import type { FieldControl } from './FieldInput.tsx';
import { NumberInput, type NumberRead } from './NumberInput.tsx';

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
      formatter={(shown, { userTyping, input }) =>
        userTyping || shown === undefined || String(shown) === '' ? input : moneyText(Number(shown))
      }
      reads={amountRead}
    />
  );
}

/**
 * Separators may stand anywhere, because they stay while the digits between them are edited, and the amount is shown with its own as soon as the field
 * is left.
 */
function amountRead(typed: string): NumberRead {
  const digits = typed.replace(/[\s,，]/g, '');
  const amount = digits === '' ? '' : moneyRead(digits);
  return amount === null ? { asks: `“${typed}”不是金额，没有填入，请输入如 1234.50` } : { value: amount };
}
