import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { docs } from './contract.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('every mounted call appears in the API document, and every schema in it is complete', async () => {
  const document = await app.admin.get(docs.openapi);
  expect(document.openapi).toBe('3.1.0');
  const mounted = app.services.product.servers().flatMap((module) => module.calls);
  for (const { call } of mounted)
    expect(document.paths[call.path]?.[call.method.toLowerCase()]?.summary).toBe(call.summary);
  const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map((one) => one.operationId));
  const named = ids.filter((id) => id !== undefined);
  expect(new Set(named).size).toBe(named.length);
  for (const [path, operations] of Object.entries(document.paths)) {
    const wanted = [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]);
    for (const operation of Object.values(operations)) {
      const given = operation.parameters.filter((part) => part['in'] === 'path').map((part) => part['name']);
      expect(given.toSorted(), path).toEqual(wanted.toSorted());
    }
  }
});

test('initially only super administrators may open the API document', async () => {
  for (const role of ['org_admin', 'auditor', 'office_admin']) {
    const person = await app.signIn(await app.person({ roles: [role] }));
    expect((await person.ask(docs.openapi)).code).toBe(4003);
  }
});
