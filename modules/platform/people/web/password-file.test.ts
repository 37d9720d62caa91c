import { expect, test } from 'vitest';
import { passwordFile } from './users/password-file.ts';

test.each(['=1+1', '+1', '-1', '@a', '＝1+1', '＋1', '－1', '＠a', ' =1', '\u200b＝1', '\t1'])(
  'a name that begins like the formula %j is neutralised in the list of passwords',
  async (alias) => {
    const text = await passwordFile([{ alias, username: 'a', password: 'p' }]).text();
    expect(text.split('\r\n')[1]).toBe(`"'${alias}","a","p"`);
  },
);

test('any other name is written unchanged, with its quotation marks doubled', async () => {
  const text = await passwordFile([{ alias: '王"明"', username: 'wang.ming', password: 'k7=x' }]).text();
  expect(text.split('\r\n')[1]).toBe('"王""明""","wang.ming","k7=x"');
});
