import { useState } from 'react';
import { capitals } from '#kernel/contract/money/capitals.ts';
import { MoneyInput } from '#kernel/web/kit/form/MoneyInput.tsx';

/** An amount in digits and in capitals. */
export function MoneySample() {
  const [amount, setAmount] = useState<unknown>(1680.32);
  return (
    <div className="kit-stack" style={{ maxWidth: 320 }}>
      <label htmlFor="amount">金额</label>
      <MoneyInput id="amount" value={amount} onChange={setAmount} />
      <p aria-live="polite">{typeof amount === 'number' ? capitals(amount) : '请填写金额'}</p>
    </div>
  );
}
