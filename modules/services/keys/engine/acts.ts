import { loanStatus, type Days } from '../contract.ts';

/** The acts on an approved loan, by the names of their buttons. */
export const loanActs = { take: '登记领出', give_back: '登记归还' } as const;
export type LoanAct = keyof typeof loanActs;

/** The act that comes next; null before the approval, outside the days of the loan, and when the key is back. */
export function nextAct(loan: Days & { status: number | null }, today: string): LoanAct | null {
  if (loan.status === loanStatus.out) return 'give_back';
  return loan.status === loanStatus.waiting && loan.start_date <= today && today <= loan.due_date ? 'take' : null;
}

/** The status of a loan on a day: a key that was not fetched by the last day of its loan is not handed out any more. */
export const statusOn = (loan: { status: number | null; due_date: string }, today: string): number | null =>
  loan.status === loanStatus.waiting && loan.due_date < today ? loanStatus.lapsed : loan.status;

/** True if the key is not back after the last day of the loan, or came back later; days are `YYYY-MM-DD`. */
export const isOverdue = (
  { taken_at, due_date, returned_at }: { taken_at: string | null; due_date: string; returned_at: string | null },
  today: string,
): boolean => taken_at !== null && due_date < (returned_at?.slice(0, 10) ?? today);

/** The loan among those of a key that has a day in common with the wanted days, if both of these are known. */
export const clashOf = <L extends Days>(lent: readonly L[], wanted: Partial<Days>): L | undefined =>
  lent.find((one) => one.start_date <= (wanted.due_date ?? '') && (wanted.start_date ?? '~') <= one.due_date);
