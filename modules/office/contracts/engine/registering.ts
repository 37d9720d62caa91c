import { nature, planKind, type Registration, stage } from '../contract/codes.ts';

/** The roles of a user in a contract. */
export interface Part {
  undertaker: boolean;
  /** Handles the one node concerned. */
  handler: boolean;
  /** May register payments. */
  finance: boolean;
  /** Manages the contracts of the house. */
  manager: boolean;
}
/** The names of the roles. */
export const partNames: Readonly<Record<keyof Part, string>> = {
  undertaker: '承办人',
  handler: '节点办理人',
  finance: '财务人员',
  manager: '合同管理员',
};
interface RegistrationInput {
  from: readonly number[];
  by: readonly (keyof Part)[];
}
const { toSign, running, finished, suspended, terminated, expired, void: isVoid } = stage;

/** Kinds of nodes that are registered with an amount; finance may register them as well. */
export const withMoney: readonly number[] = [planKind.payment, planKind.receipt, planKind.deposit, planKind.invoice];

/** The stages in which each registration is possible, and who may make it. */
export const registrable = {
  party: { from: [toSign], by: ['undertaker', 'manager'] },
  sign: { from: [toSign], by: ['undertaker', 'manager'] },
  performance: { from: [running, expired, terminated], by: ['undertaker', 'handler', 'finance', 'manager'] },
  reverse: { from: [running, expired, terminated], by: ['undertaker', 'finance', 'manager'] },
  change: { from: [running, expired], by: ['manager'] },
  suspend: { from: [running], by: ['manager'] },
  resume: { from: [suspended], by: ['manager'] },
  terminate: { from: [toSign, running, suspended, expired], by: ['manager'] },
  dispute: { from: [running, finished, suspended, terminated, expired], by: ['undertaker', 'manager'] },
  dispute_end: { from: [running, finished, suspended, terminated, expired], by: ['undertaker', 'manager'] },
  finish: { from: [running, expired], by: ['manager'] },
  archive: { from: [finished, terminated, expired, isVoid], by: ['manager'] },
  void: { from: [toSign], by: ['manager'] },
} as const satisfies Partial<Record<Registration, RegistrationInput>>;
export type Registrable = keyof typeof registrable;

/** A supplement changes its contract and is not performed itself: payments are registered on the contract. */
const ofSupplement: readonly Registrable[] = ['party', 'sign', 'finish', 'archive', 'void'];
export const suits = (type: Registrable, of: number): boolean =>
  of !== nature.supplement || ofSupplement.includes(type);

/** The registrations open to a user at the present stage. */
export const registrableBy = (
  { stage: at, nature: of, open_disputes }: { stage: number; nature: number; open_disputes: number },
  part: Part,
): Registrable[] =>
  (Object.entries(registrable) as [Registrable, RegistrationInput][])
    .filter(([type, { from, by }]) => suits(type, of) && from.includes(at) && by.some((one) => part[one]))
    .filter(([type]) => type !== 'dispute_end' || open_disputes > 0)
    .map(([name]) => name);
