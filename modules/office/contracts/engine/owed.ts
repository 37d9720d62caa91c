import { fenOf, yuanOf } from '#kernel/contract/money/money.ts';

/** What a contract comes to: its amount, less what audits took off it. */
export const owedBy = ({ amount, reduced }: { amount: number; reduced: number }): number =>
  yuanOf(fenOf(amount) - fenOf(reduced));
