import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { loanStatus } from '../contract.ts';

/** The acts on an approved loan, by the names of their buttons. */
export const loanActs = { take: '登记领出', give_back: '登记归还' } as const;
export type LoanAct = keyof typeof loanActs;

/** The act that comes next; null before the approval and when the key is back. */
export function nextAct(loan: { act_state: number; status: number }): LoanAct | null {
  if (loan.act_state !== actState.finished) return null;
  if (loan.status === loanStatus.waiting) return 'take';
  return loan.status === loanStatus.out ? 'give_back' : null;
}

/** True if the key is not back after the last day of the loan, or came back later; days are `YYYY-MM-DD`. */
export const isOverdue = (
  { status, due_date, returned_on }: { status: number; due_date: string; returned_on: string | null },
  today: string,
): boolean => status !== loanStatus.waiting && due_date < (returned_on ?? today);
