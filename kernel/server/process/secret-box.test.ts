import { expect, test } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const box = createSecretBox('s'.repeat(48));

test('an encrypted value is decrypted again and never looks the same twice', () => {
  expect(box.open(box.seal('口令 key'))).toBe('口令 key');
  expect(box.seal('a')).not.toBe(box.seal('a'));
});

test('an altered, emptied or foreign value does not decrypt, and the message says so', () => {
  const told = '加密保存的内容无法读取：会话密钥已更换，或内容被改动，请重新填写';
  expect(() => box.open('')).toThrow(told);
  const sealed = Buffer.from(box.seal('secret'), 'base64url');
  sealed[sealed.length - 1]! ^= 1;
  expect(() => box.open(sealed.toString('base64url'))).toThrow(told);
  expect(() => createSecretBox('t'.repeat(48)).open(box.seal('secret'))).toThrow(told);
});
