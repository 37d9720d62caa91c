import type { Who } from './asking.ts';

/** Files with which contracts are signed and paid, each for one step: uploaded before anything is killed. */
export interface Papers {
  scans: number[];
  vouchers: number[];
}
/** Files to be sealed, and pictures of the sealed pages. */
export interface SealPapers {
  toSeal: number[];
  shots: number[];
}
/** The ids of the demonstration's database that the run needs. */
export interface Ground {
  repair: number;
  rule: number;
  category: number;
  dept: number;
  /** A category of contracts that need no lawyer. */
  contractCategory: number;
  /** The keeper of signed contracts. */
  keeper: number;
  papers: Papers;
  /** A seal of the clerk's department, kept by `second`. */
  seal: number;
  sealPapers: SealPapers;
}

export interface Step {
  who: Who;
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `{id}` of the record, `{ticket}` of its ticket. */
  path: string;
  body?: (ticket: number) => object;
  /** The action in the ticket's log; null for steps that are not a ticket's. */
  says: string | null;
}

export const handled = '/api/tickets/{ticket}/';
export const [save, submit, agrees, refuses, finishes] = [1, 2, 3, 4, 7];

export const buttons: Record<number, string> = { [save]: 'save', [submit]: 'submit' };
export const way = (who: Who, transition_id: number, more: object = {}): Step => ({
  who,
  says: buttons[transition_id] ?? 'handle',
  method: 'PATCH',
  path: handled,
  body: () => ({ transition_id, ...more }),
});
export const action = (who: Who, says: string, more: object = {}, path = says): Step => ({
  who,
  says,
  method: 'POST',
  path: `${handled}${path}/`,
  body: () => more,
});
