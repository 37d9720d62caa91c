import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { openLog } from './log.ts';
import { lineOf, sentences } from './terminal.ts';

const root = join(import.meta.dirname, '../../..');
const shown = (write: (log: ReturnType<typeof openLog>) => void) => {
  const lines: (string | null)[] = [];
  write(openLog('info', { write: (line: string) => void lines.push(lineOf(JSON.parse(line))) }));
  return lines.map((line) => line && stripVTControlCharacters(line).replace(/^ +\d\d:\d\d:\d\d /, ''));
};

test('the terminal shows a sentence for each fault, and nothing about answered calls', () => {
  const lines = shown((log) => {
    log.info({ call: 'tickets.list', code: 0, ms: 3 }, 'call');
    log.info('Server listening at http://127.0.0.1:8080');
    log.info('内置数据库已重新启动');
    log.warn({ reason: 'ECONNRESET' }, 'a database connection was lost');
    log.warn({ ticket: 7 }, 'ticket left as it is');
    const err = new Error('Failed query: select', { cause: new Error('out of memory') });
    log.child({ reqId: 'abc' }).error({ err, call: '导出工单' }, 'call failed');
  });
  const [failed, ...places] = lines.pop()!.split('\n');
  expect(failed).toBe('错误 一次操作出错：导出工单：out of memory（问题编号 abc）');
  expect(places.join('\n')).toContain('terminal.test.ts');
  expect(lines).toEqual([
    null,
    null,
    '内置数据库已重新启动',
    '提醒 一个数据库连接断开，正在重连：ECONNRESET',
    '提醒 一张工单没有自动处理，请在流程监控中查看（ticket=7）',
  ]);
});

test('each log message has its sentence, and each sentence its message', async () => {
  const found = await Promise.all(
    ['apps', 'kernel', 'modules']
      .map((folder) => readdir(join(root, folder), { recursive: true }))
      .map(async (names, at) =>
        (await names)
          .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('testing'))
          .map((name) => join(root, ['apps', 'kernel', 'modules'][at]!, name)),
      ),
  );
  const texts = await Promise.all(found.flat().map((file) => readFile(file, 'utf8')));
  const written = texts.flatMap((text) =>
    [...text.matchAll(/\blog\.(?:info|warn|error)\(\s*(?:(?:\{[^}]*\}|\w+),\s*)?'([^']+)',?\s*\)/g)].map(
      ([, words]) => words!,
    ),
  );
  expect(
    [...new Set(written)].filter(
      (words) => words !== 'call' && !/\p{Script=Han}/u.test(words) && !(words in sentences),
    ),
  ).toEqual([]);
  expect(Object.keys(sentences).filter((words) => !written.includes(words))).toEqual([]);
});
