import { direction, nature, renewal } from '../contract/codes.ts';

interface Money {
  nature: number;
  pay_direction: number;
  amount: number;
}
interface Terms {
  our_party: string;
  tax_rate: number | null;
  end_date: string | null;
  renewal: number;
  renewal_months: number | null;
  notice_days: number | null;
  deposit: number | null;
  warranty_end: string | null;
}

/** True if a supplement sets a new amount; one without an amount keeps the contract's. */
export const namesAmount = ({ pay_direction, amount }: Omit<Money, 'nature'>): boolean =>
  pay_direction !== direction.none && amount > 0;

/**
 * The contract's columns after a signed supplement: fields that the supplement leaves out stay. An amount equal to the owed one is no
 * change; a new amount is agreed anew and clears reductions by audits.
 */
export function columnsAfter(contract: Money & { owed: number }, supplement: Omit<Money, 'nature'> & Terms) {
  const { amount, our_party, tax_rate, end_date, deposit, warranty_end } = supplement;
  const { renewal: how, renewal_months, notice_days } = supplement;
  const money = !namesAmount(supplement)
    ? {}
    : contract.nature === nature.framework
      ? { amount_cap: amount }
      : amount === contract.owed
        ? {}
        : { amount, reduced: 0 };
  const said = Object.entries({ our_party: our_party || null, tax_rate, end_date, deposit, warranty_end });
  return {
    ...money,
    ...(Object.fromEntries(said.filter(([, value]) => value !== null)) as Partial<
      Pick<Terms, 'our_party' | 'tax_rate' | 'end_date' | 'deposit' | 'warranty_end'>
    >),
    // The default is no choice, so it changes nothing.
    ...(how === renewal.none ? {} : { renewal: how, renewal_months, notice_days }),
  };
}
