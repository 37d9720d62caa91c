import { InputNumber } from 'antd';
import { maxMoney, moneyRead, moneyText } from '#kernel/contract/money/money.ts';
import type { FieldControl } from './FieldInput.tsx';

/** An amount in yuan: shown with separators and two decimals once the field is left; accepts it as typed or pasted. */
export function MoneyInput({ value, onChange, ...control }: FieldControl) {
  return (
    <InputNumber<number | ''>
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
      parser={(typed) => read(typed ?? '')}
    />
  );
}

/**
 * An empty text is no amount; any other text that is no amount is rejected. Separators may stand anywhere, because they stay while the digits between
 * them are edited, and the amount is shown with its own as soon as the field is left.
 */
const read = (typed: string) => {
  const digits = typed.replace(/[\s,，]/g, '');
  return digits === '' ? '' : (moneyRead(digits) ?? Number.NaN);
};
