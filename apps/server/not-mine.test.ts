import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { pathOf, type Call } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import type { Client } from './testing.ts';
import { ask, each, named, nowhere } from './testing/asking.ts';
import { everyGrant, openWalk, unlimited, type Walk } from './testing/walk.ts';

vi.setConfig({ testTimeout: unlimited, hookTimeout: unlimited });

/** The demonstration has some records of each kind, which begin with these numbers. */
const numbers = Array.from({ length: 10 }, (_, at) => at + 1);

let walk: Walk;
/** One with no rights but everybody's, and one with every right there is, within an empty department. */
let outsiders: Record<string, Client>;
beforeAll(async () => {
  walk = await openWalk({ demonstration: true });
  const { app } = walk;
  const dept = await app.dept('别的部门');
  outsiders = {
    newcomer: await app.signIn(await app.person({ roles: ['staff'], dept })),
    chief: await app.clerk(await everyGrant(app), { dept, dataScope: 3 }),
  };
});
afterAll(() => walk.app.close());

/** Calls that read something by its number. An address that is itself the key is excluded, because it does not depend on the caller. */
const reads = () =>
  walk.mounted.filter(
    ({ call }) =>
      call.method === 'GET' && /\{\w*id\}/i.test(call.path) && ['session', 'grant'].includes(call.access.kind),
  );
/** Data that everybody may read of a record whose page they cannot open: to start a ticket, apply for a seal, or draft a contract. */
const everybodys = [
  '/api/workflows/{id}/can_intervene/',
  '/api/workflows/{id}/init_state/',
  '/api/workflows/{id}/simple_description/',
  '/api/stamp/{id}/slots/',
  '/api/contract/template/{id}/html/',
];
/** The call that returns the record itself, of which another call returns a part. */
function wholeOf({ call }: Mounted): Call {
  const [path] = /^.*?\{\w*id\}\//i.exec(call.path)!;
  const places = [path, path.replace('{', 'detail/{')];
  return reads().find((one) => places.includes(one.call.path))?.call ?? call;
}
const idsOf = (call: Call, id: number) =>
  pathOf(call, Object.fromEntries([...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, id])));

/** The refusal that a person gets; '' for an answer that is no refusal. */
async function refusal(who: Client, call: Call, path: string): Promise<string> {
  const { status, code, text } = await ask(who, call, path);
  if (code === codes.ok || (code === null && status === 200)) return '';
  return code === null ? String(status) : `${status} ${code} ${(JSON.parse(text) as { msg: string }).msg}`;
}

test('every call answers for a hidden record as for one that does not exist', async () => {
  const unlike: string[] = [];
  const kept = new Set<string>();
  await each(reads(), async (one) => {
    const { call } = one;
    const whole = wholeOf(one);
    for (const [name, who] of Object.entries(outsiders)) {
      const absent = await refusal(who, call, nowhere(call));
      for (const id of numbers) {
        if ((await refusal(who, whole, idsOf(whole, id))) === '') continue;
        const told = await refusal(who, call, idsOf(call, id));
        if (told !== absent && !(told === '' && everybodys.includes(call.path)))
          unlike.push(`${named(one)} ${name} ${id}: “${told}”, not “${absent}”`);
        if (whole === call && (await walk.asAdmin(call, idsOf(call, id))).code === codes.ok) kept.add(call.path);
      }
    }
  });
  expect(unlike.toSorted()).toEqual([]);
  // Otherwise there was nothing that anybody is kept from.
  expect(kept.size).toBeGreaterThan(15);
});
