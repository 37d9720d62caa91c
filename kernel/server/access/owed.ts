import { entrySteps, type Call, type EntryStep } from '#kernel/contract/call.ts';
import type { Viewer } from './viewer.ts';

type Owing = Pick<Viewer, 'mustChangePassword' | 'secondStep'>;

/** Returns the steps that a session must still complete before it is let in, the next one first. */
export function stepsOwed({ mustChangePassword, secondStep }: Owing): EntryStep[] {
  const owes: Record<EntryStep, boolean> = { password: mustChangePassword, second: secondStep !== undefined };
  return entrySteps.filter((step) => owes[step]);
}

/** Returns the step to complete before this call is answered; null if it is answered now. */
export function stepBefore(
  call: Pick<Call, 'settles' | 'beforeNewPassword' | 'beforeSecondStep'>,
  viewer: Owing,
): EntryStep | null {
  const owed = stepsOwed(viewer);
  const [next] = owed;
  if (next === undefined || call.settles === next) return null;
  const early: Record<EntryStep, boolean | undefined> = {
    password: call.beforeNewPassword,
    second: call.beforeSecondStep,
  };
  return owed.every((step) => early[step]) ? null : next;
}
