import { expect, test } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const box = createSecretBox('s'.repeat(48));

test('what is sealed opens again and never looks the same twice', () => {
  expect(box.open(box.seal('口令 key'))).toBe('口令 key');
  expect(box.seal('a')).not.toBe(box.seal('a'));
});

test('an altered or foreign box does not open', () => {
  const sealed = Buffer.from(box.seal('secret'), 'base64url');
  sealed[sealed.length - 1]! ^= 1;
  expect(() => box.open(sealed.toString('base64url'))).toThrow(/authenticate/);
  expect(() => createSecretBox('t'.repeat(48)).open(box.seal('secret'))).toThrow(/authenticate/);
});
