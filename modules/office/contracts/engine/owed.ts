import { fenOf, yuanOf } from '#kernel/contract/money/money.ts';

/** The total owed on a contract: its amount, less reductions by audits. */
export const owedBy = ({ amount, reduced }: { amount: number; reduced: number }): number =>
  yuanOf(fenOf(amount) - fenOf(reduced));
