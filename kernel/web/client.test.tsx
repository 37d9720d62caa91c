import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { announceWith } from './announce.ts';
import type { Announcer, SignInQuestion } from './announce.ts';
import { download, fieldErrors, send, upload } from './client.ts';
import { CallFailed } from './failure.ts';
import { keepToken } from './token.ts';
import { ok, refuse, startServer } from './testing/server.ts';
import { stamps } from './testing/stamps.ts';

let server: Awaited<ReturnType<typeof startServer>>;
let shown: unknown[][];
let reply: (yes: boolean) => void;
const announcer: Announcer = {
  message: (text, seconds) => void shown.push(['message', text, seconds]),
  notification: (title) => void shown.push(['notification', title]),
  confirm: (question: SignInQuestion) => {
    shown.push(['confirm', question]);
    return new Promise((resolve) => (reply = resolve));
  },
  leave: async () => void shown.push(['leave']),
};
const row = { id: 1, name: '公章', count: 2 };
const list = { value: [row], total: 1, page: 1, per_page: 10 };

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(() => {
  shown = [];
  announceWith(announcer);
});
afterEach(() => keepToken(null));

const failureOf = (sent: Promise<unknown>) =>
  sent.then(
    () => expect.fail('sent'),
    (error: unknown) => error as CallFailed,
  );

describe('an API call', () => {
  test('returns the data of the envelope, and sends its query without empty values', async () => {
    server.answers(() => ok(list));
    expect(await send(stamps.list, { query: { page: 2, search_value: '' } })).toEqual(list);
    expect(server.asked[0]?.query.toString()).toBe('page=2');
  });

  test('carries the stored token under the scheme JWT, and none if none is stored', async () => {
    server.answers(() => ok(list));
    await send(stamps.list, {});
    keepToken('abc');
    await send(stamps.list, {});
    expect(server.asked.map((asking) => asking.headers.authorization)).toEqual([undefined, 'JWT abc']);
  });

  test('carries an idempotency key when it writes, the same one when repeated', async () => {
    server.answers(() => ok({}));
    const body = { name: '公章', count: 1 };
    await send(stamps.create, { body });
    await send(stamps.create, { body }, { attempt: 'again' });
    await send(stamps.list, {});
    const keys = server.asked.map((asking) => asking.headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{32,36}$/);
    expect(keys.slice(1)).toEqual(['again', undefined]);
    expect(server.asked[0]?.body).toEqual(body);
  });
});

describe('an error from the server', () => {
  test('with code -1 shows its sentence as an error message and rejects', async () => {
    server.answers(() => refuse(-1, '印章“公章”已存在'));
    const failure = await failureOf(send(stamps.list, {}));
    expect(failure).toMatchObject({ kind: 'refused', code: -1, msg: '印章“公章”已存在' });
    expect(shown).toEqual([['message', '印章“公章”已存在', 5]]);
  });

  test('with any other code shows a notification with its sentence as title', async () => {
    const errors = [{ field: 'name', label: '名称', msg: '请填写' }];
    server.answers(() => refuse(4000, '名称：请填写', { errors }));
    const failure = await failureOf(send(stamps.list, {}));
    expect(shown).toEqual([['notification', '名称：请填写']]);
    expect(fieldErrors(failure)).toEqual(errors);
  });

  test('with code 401 asks once, however many calls expire, and leaves the page only when told to', async () => {
    server.answers(() => refuse(401, '登录状态已过期，请重新登录'));
    await Promise.all([failureOf(send(stamps.list, {})), failureOf(send(stamps.list, {}))]);
    expect(shown).toEqual([
      [
        'confirm',
        {
          title: '系统提示',
          content: '登录状态已过期，您可以继续留在该页面，或者重新登录',
          okText: '重新登录',
          cancelText: '取消',
        },
      ],
    ]);
    reply(false);
    await Promise.resolve();
    await new Promise((later) => setTimeout(later));
    await failureOf(send(stamps.list, {}));
    reply(true);
    await new Promise((later) => setTimeout(later));
    expect(shown.map(([kind]) => kind)).toEqual(['confirm', 'confirm', 'leave']);
  });

  test('with an HTTP status shows 系统接口{status}异常 with the number to quote, long enough to write it down', async () => {
    server.answers((_asking, response) => {
      response.statusCode = 500;
      return refuse(5000, '服务器错误', { trace_id: 't-1' });
    });
    const failure = await failureOf(send(stamps.list, {}));
    expect(shown).toEqual([['message', '系统接口500异常，问题编号 t-1', 10]]);
    expect(failure.trace).toBe('t-1');
  });

  test('of a busy server is shown in the server’s own words', async () => {
    server.answers((_asking, response) => {
      response.statusCode = 503;
      return refuse(503, '系统繁忙，请稍后再试', null);
    });
    const failure = await failureOf(send(stamps.list, {}));
    expect(shown).toEqual([['message', '系统繁忙，请稍后再试', 5]]);
    expect(failure.unanswered).toBe(true);
  });

  test('of a broken connection shows 后端接口连接异常 for five seconds', async () => {
    server.answers((_asking, response) => void response.destroy());
    const failure = await failureOf(send(stamps.list, {}));
    expect(shown).toEqual([['message', '后端接口连接异常', 5]]);
    expect(failure.unanswered).toBe(true);
  });

  test('of a timeout shows 系统接口请求超时', async () => {
    server.answers(() => undefined);
    await failureOf(send(stamps.list, {}, { timeout: 50 }));
    expect(shown).toEqual([['message', '系统接口请求超时', 5]]);
  });

  test('of a call that its caller abandoned shows nothing', async () => {
    server.answers(() => undefined);
    const controller = new AbortController();
    const sent = failureOf(send(stamps.list, {}, { signal: controller.signal }));
    controller.abort();
    await sent;
    expect(shown).toEqual([]);
  });
});

describe('file transfers', () => {
  test('download the bytes with proposed name and progress', async () => {
    server.answers((_asking, response) => {
      response.setHeader('Content-Type', 'application/octet-stream');
      response.setHeader('Content-Length', '4');
      response.setHeader('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent('印章.xlsx')}`);
      response.end('data');
    });
    const shares: (number | null)[] = [];
    const file = await download(
      stamps.list,
      { query: { export: 'xlsx' } },
      { onProgress: (share) => shares.push(share) },
    );
    expect(file?.name).toBe('印章.xlsx');
    expect(file?.blob.size).toBe(4);
    expect(shares.at(-1)).toBe(1);
  });

  test('show a download refused in an envelope like any refusal', async () => {
    server.answers(() => refuse(-1, '没有可导出的记录'));
    await failureOf(download(stamps.list, {}));
    expect(shown).toEqual([['message', '没有可导出的记录', 5]]);
  });

  test('upload as multipart field file and return the data', async () => {
    server.answers(() => ok({ id: 7 }));
    expect(await upload(stamps.upload, {}, new File(['x'], '印模.png'))).toEqual({ id: 7 });
    expect(server.asked[0]?.headers['content-type']).toContain('multipart/form-data');
    expect(server.asked[0]?.text).toContain('name="file"');
  });
});
