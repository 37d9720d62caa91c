import type { TicketState, Token } from '../state.ts';

// The names of branches encode their nesting: `1-3.0/4-1.2` is branch 2 of what token 4 split at its visit 1, itself in branch 0 of token 1.

/** The block a branch belongs to: the token that split, and its visit. Empty for the trunk. */
export const blockOf = ({ branch }: Pick<Token, 'branch'>): string =>
  branch.slice(0, Math.max(0, branch.lastIndexOf('.')));

/** The block that a token opens where it stands. */
export const blockBelow = ({ no, visit, branch }: Token): string =>
  `${branch === '' ? '' : `${branch}/`}${no}-${visit}`;

const partsOf = (block: string) =>
  block
    .slice(block.lastIndexOf('/') + 1)
    .split('-')
    .map(Number);
export const parentNoOf = (block: string): number => partsOf(block)[0] ?? 0;

/** Branches around a token, the outermost first, ending with its own. */
export function branchesAround({ branch }: Pick<Token, 'branch'>): string[] {
  const parts = branch === '' ? [] : branch.split('/');
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

/** The token that opened a branch, while it still stands there and waits for it. */
export function waitingFor({ tokens }: TicketState, branch: string): Token | undefined {
  const [no, visit] = partsOf(blockOf({ branch }));
  return tokens.find((one) => one.no === no && one.visit === visit && one.status === 'waiting_join');
}

/** The innermost branch around a token that nothing waits for any more; empty if all are waited for. */
export const unheardBranch = (state: TicketState, token: Token): string =>
  branchesAround(token).findLast((branch) => !waitingFor(state, branch)) ?? '';

/** True if a token runs on though its join has gone on without it: nothing it does moves the ticket. With `around` every branch around it counts. */
export function isUnheard(state: TicketState, token: Token, around = true): boolean {
  return around ? unheardBranch(state, token) !== '' : token.branch !== '' && !waitingFor(state, token.branch);
}

/** The remaining tokens of branches that a token opened earlier. */
export function ranOnFrom({ tokens }: TicketState, { no, branch }: Token): Token[] {
  const prefix = `${branch === '' ? '' : `${branch}/`}${no}-`;
  return tokens.filter((one) => one.status !== 'done' && one.branch.startsWith(prefix));
}
