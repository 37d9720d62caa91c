import { afterAll, expect, test } from 'vitest';
import type { Client } from './testing.ts';
import { openSchool } from './testing/school.ts';

const school = await openSchool();
const { office: app, staff, stranger } = school;
afterAll(() => app.close());

interface Answered {
  code: number;
  msg: string;
  data: { id: number; value?: { id: number }[] } | null;
}
async function ask(who: Client, method: string, path: string, body?: object): Promise<Answered> {
  const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
  const answer = await who.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return (await answer.json()) as Answered;
}

/** For each kind: the list of its drafts, the method that changes one, its author, fields needed besides the title, and the call that creates it. */
const kinds: [list: string, change: 'PATCH' | 'PUT' | null, author: Client, more: object, begun?: string][] = [
  ['document', 'PATCH', staff, { doc_kind: 1 }],
  ['contract', 'PUT', staff, {}],
  ['meet', 'PUT', staff, {}],
  ['activity', null, staff, {}, 'activity/declare'],
];

test('a draft of each kind is listed, read, changed and deleted by its author, and hidden from others', async () => {
  for (const [path, change, author, more, begun = path] of kinds) {
    const body = { title: '草稿', name: '草稿', submit: false, ...more };
    const made = await ask(author, 'POST', `/api/${begun}/`, body);
    expect([path, made.code, made.msg]).toEqual([path, 0, expect.any(String)]);
    const { data: listed } = await ask(author, 'GET', `/api/${path}/?per_page=100`);
    expect(
      listed!.value!.map(({ id }) => id),
      path,
    ).toContain(made.data!.id);
    const one = `/api/${path}/${made.data!.id}/`;
    const read = async (who: Client) => ask(who, 'GET', one);
    expect([path, (await read(stranger)).code]).toEqual([path, 4004]);
    if (change) {
      const changed = await ask(author, change, one, { title: '改后的草稿', name: '改后的草稿' });
      expect([path, changed.code, changed.msg]).toEqual([path, 0, expect.any(String)]);
      expect(JSON.stringify((await read(author)).data), path).toContain('改后的草稿');
    }
    expect([path, (await ask(stranger, 'DELETE', one)).code]).toEqual([path, 4004]);
    const gone = await ask(author, 'DELETE', one);
    expect([path, gone.code, gone.msg]).toEqual([path, 0, expect.any(String)]);
    expect([path, (await read(author)).code]).toEqual([path, 4004]);
  }
});
