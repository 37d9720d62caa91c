import { stage, type Registration } from '../contract/codes.ts';

/** What somebody is to a contract. */
export interface Part {
  undertaker: boolean;
  /** Registers payments. */
  finance: boolean;
  /** Looks after the contracts of the house. */
  manager: boolean;
}
interface RegistrationInput {
  from: readonly number[];
  by: readonly (keyof Part)[];
}
const { toSign, running, finished, suspended, terminated, expired, void: isVoid } = stage;

/** From which stages something is registered, and by whom. */
export const registrable = {
  sign: { from: [toSign], by: ['undertaker', 'manager'] },
  performance: { from: [running, expired, terminated], by: ['undertaker', 'finance', 'manager'] },
  reverse: { from: [running, expired, terminated], by: ['undertaker', 'finance', 'manager'] },
  change: { from: [running, expired], by: ['manager'] },
  suspend: { from: [running], by: ['manager'] },
  resume: { from: [suspended], by: ['manager'] },
  terminate: { from: [toSign, running, suspended, expired], by: ['manager'] },
  finish: { from: [running, expired], by: ['manager'] },
  archive: { from: [finished, terminated, expired, isVoid], by: ['manager'] },
  void: { from: [toSign], by: ['manager'] },
} as const satisfies Partial<Record<Registration, RegistrationInput>>;
export type Registrable = keyof typeof registrable;

/** What somebody may register of a contract as it stands. */
export const registrableBy = (at: number, part: Part): Registrable[] =>
  (Object.entries(registrable) as [Registrable, RegistrationInput][])
    .filter(([, { from, by }]) => from.includes(at) && by.some((one) => part[one]))
    .map(([name]) => name);
