import { expect, test } from 'vitest';
import { stepBefore, stepsOwed } from './owed.ts';

const sessions = [false, true].flatMap((mustChangePassword) =>
  [undefined, 'code' as const, 'enrol' as const].map((secondStep) => ({ mustChangePassword, secondStep })),
);

test('for whatever a session still owes exactly one next step is open, and the steps in turn lead to full access', () => {
  for (const session of sessions) {
    const owed = stepsOwed(session);
    expect(owed).toEqual(['password', 'second'].filter((step) => owed.some((one) => one === step)));
    for (const settles of ['password', 'second'] as const) {
      const isOpen = stepBefore({ settles }, session) === null;
      expect(isOpen).toBe(owed.length === 0 || owed[0] === settles);
    }
    expect(stepBefore({}, session)).toBe(owed[0] ?? null);
  }
});

test('a call that is open before one owed step only is refused while another is owed too', () => {
  const both = { mustChangePassword: true, secondStep: 'code' as const };
  expect(stepBefore({ beforeNewPassword: true }, both)).toBe('password');
  expect(stepBefore({ beforeSecondStep: true }, both)).toBe('password');
  expect(stepBefore({ beforeNewPassword: true, beforeSecondStep: true }, both)).toBeNull();
  expect(stepBefore({ beforeNewPassword: true }, { mustChangePassword: true })).toBeNull();
  expect(stepBefore({ beforeSecondStep: true }, { ...both, mustChangePassword: false })).toBeNull();
});
