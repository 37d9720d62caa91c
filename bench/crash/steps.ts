import type { Who } from './asking.ts';

/** Files that contracts are signed and paid with, each for one step: uploaded before anything is killed. */
export interface Papers {
  scans: number[];
  vouchers: number[];
}
/** Files that are sealed, and pictures of it. */
export interface SealPapers {
  toSeal: number[];
  shots: number[];
}
/** What the run needs to know of the demonstration's database. */
export interface Ground {
  repair: number;
  rule: number;
  category: number;
  dept: number;
  /** Of contracts that no lawyer is asked about. */
  contractCategory: number;
  /** Keeps what was signed. */
  keeper: number;
  papers: Papers;
  /** Of the clerk's department, kept by `second`. */
  seal: number;
  sealPapers: SealPapers;
}

export interface Step {
  who: Who;
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `{id}` of the record, `{ticket}` of its ticket. */
  path: string;
  body?: (ticket: number) => object;
  /** What the ticket's log calls it; null for what is no ticket's. */
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
