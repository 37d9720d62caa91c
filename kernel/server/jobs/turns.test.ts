import { expect, test } from 'vitest';
import { createLine, type By } from './turns.ts';

/** Works that end when the test says so, and the order in which they began. */
function works(line: ReturnType<typeof createLine>) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (by: By, name: string) =>
    line(by, () => {
      begun.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    });
  const settled = () => new Promise((done) => setImmediate(done));
  const end = async (name: string) => {
    await settled();
    ends.get(name)!();
    await settled();
  };
  return { begun, ask, end, settled };
}

test('one person’s jobs run one at a time, others pass them, and the system’s own go first', async () => {
  const { begun, ask, end, settled } = works(createLine({ atOnce: 2, waiting: 10, waitingEach: 5 }));
  for (const name of ['a1', 'a2', 'a3']) void ask(1, name);
  void ask(2, 'b1');
  void ask(3, 'c1');
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  void ask('house', 'own');
  await end('b1');
  expect(begun).toEqual(['a1', 'b1', 'own']);
  await end('own');
  expect(begun.at(-1)).toBe('c1');
  await end('c1');
  expect(begun.at(-1)).toBe('c1');
  await end('a1');
  expect(begun.slice(-1)).toEqual(['a2']);
});

test('a full queue refuses one person sooner than everybody, and never the system; a failed job leaves it', async () => {
  const line = createLine({ atOnce: 1, waiting: 3, waitingEach: 2 });
  const { begun, ask, end } = works(line);
  for (const name of ['a1', 'a2', 'a3']) void ask(1, name);
  await expect(ask(1, 'a4')).rejects.toThrow('已有 2 个文件在排队处理，请等它们完成后再试');
  void ask(2, 'b1');
  await expect(ask(3, 'c1')).rejects.toThrow('正在排版和转换的文件较多，请过一会儿再试');
  void ask('house', 'own');
  for (const name of ['a1', 'own', 'b1', 'a2', 'a3']) await end(name);
  expect(begun).toEqual(['a1', 'own', 'b1', 'a2', 'a3']);
  await expect(line(1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await line(1, async () => 'next')).toBe('next');
});
