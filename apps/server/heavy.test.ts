import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import { sampleOf, wireSchema, type Json } from '#kernel/server/testing/sample.ts';
import { documents } from '#modules/documents/contract.ts';
import { modulesOf } from './modules.ts';
import { ask, named, nowhere } from './testing/asking.ts';
import { costOf, heaviest, materials, roomIn } from './testing/heavy.ts';
import { openTestApp, type Client, type TestOffice } from './testing.ts';

/** What a body may weigh, with room for what a schema cannot know. */
const largest = 1_000_000;
const mostMs = 500;
const mostMb = 200;

let app: TestOffice;
let mounted: Mounted[];
beforeAll(async () => {
  app = await openTestApp();
  mounted = modulesOf(app.services).flatMap((module) => [...module.calls]);
});
afterAll(() => app.close());

const dear: string[] = [];
async function weigh(what: string, work: () => Promise<{ status: number; text: string }>): Promise<string> {
  let text = '';
  const { ms, mb } = await costOf(async () => {
    const answer = await work();
    text = answer.text;
    expect(answer.status, what).toBeLessThan(500);
  });
  if (ms > mostMs || mb > mostMb) dear.push(`${what}: ${Math.round(ms)} ms, ${Math.round(mb)} MB`);
  return text;
}
/** Bodies of a call: all of it heavy, and each heavy field by itself among plain ones. */
function* bodiesOf(call: Call, material: string): Generator<unknown> {
  const schema = wireSchema(call.body!);
  yield heaviest(schema, material, largest);
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  const plain = sampleOf(schema, 1) as Json;
  for (const [name, part] of fields)
    if (roomIn(part, 1) > 20_000) yield { ...plain, [name]: heaviest(part, material, largest * 0.9) };
}

test('no call’s heaviest input costs half a second of the server or 200 MB', { timeout: 120_000 }, async () => {
  const [first, second] = ['<p>一.甲</p>', '(12345号《'];
  for (const one of mounted) {
    const { call } = one;
    const path = nowhere(call, 1);
    const admin = await app.signIn('admin');
    if (call.body && !call.upload)
      for (const material of [first, second])
        for (const body of bodiesOf(call, material)) {
          const text = JSON.stringify(body);
          await weigh(`${named(one)} ${text.length} bytes of ${material}`, () => ask(admin, call, path, text));
        }
    if (call.query) {
      const names = Object.keys((wireSchema(call.query)['properties'] ?? {}) as Json).filter((n) => n !== 'export');
      const value = encodeURIComponent('(甲《'.repeat(2)).repeat(
        Math.floor(10_000 / (27 * 2 * Math.max(1, names.length))),
      );
      const asked = `${path}?${names.map((n) => `${n}=${value}`).join('&')}`;
      await weigh(`${named(one)} long query`, () => ask(admin, call, asked));
    }
  }
  expect(dear).toEqual([]);
});

test(
  'a document with the heaviest body is written, read, checked and changed at that price',
  { timeout: 120_000 },
  async () => {
    dear.length = 0;
    const admin: Client = app.admin;
    const kinds = mounted.filter(({ call }) => call.method === 'GET' && call.path.startsWith('/api/document/{id}/'));
    expect(kinds.length).toBeGreaterThan(3);
    for (const material of materials)
      for (const length of [100_000, 599_000]) {
        const body_html = material.repeat(Math.ceil(length / material.length)).slice(0, length);
        const what = (call: string) => `${call} ${length} of ${material}`;
        const draft = { doc_kind: 1, doc_type: 8, title: '关于重的通知', body_html };
        const said = await weigh(what('create'), () =>
          ask(admin, documents.create, '/api/document/', JSON.stringify(draft)),
        );
        const { data } = JSON.parse(said) as { data: { id?: number } | null };
        if (!data?.id) continue;
        for (const one of kinds)
          if (!/pdf|sheet/.test(one.call.path))
            await weigh(what(named(one)), () => ask(admin, one.call, one.call.path.replace('{id}', String(data.id))));
        const path = `/api/document/${data.id}/`;
        await weigh(what('change'), () =>
          ask(admin, documents.patch, path, JSON.stringify({ body_html: `${body_html} ` })),
        );
      }
    expect(dear).toEqual([]);
  },
);
