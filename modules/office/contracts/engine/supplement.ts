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

/** Whether a supplement names another amount: one that says nothing of money leaves it as it is. */
export const namesAmount = ({ pay_direction, amount }: Omit<Money, 'nature'>): boolean =>
  pay_direction !== direction.none && amount > 0;

/**
 * What a signed supplement makes of its contract's columns: what it says, and of the rest nothing. The amount that is owed already is no
 * change; another one is agreed anew, and what audits took off the former is over with it.
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
    // The usual end is what nobody chose: it is no change.
    ...(how === renewal.none ? {} : { renewal: how, renewal_months, notice_days }),
  };
}
