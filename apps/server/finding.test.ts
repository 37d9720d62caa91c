import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { activities } from '#modules/office/activities/contract/activities.ts';
import { contracts } from '#modules/office/contracts/contract/contracts.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { papers } from '#modules/office/folders/contract/list.ts';
import { leaders } from '#modules/office/leaders/contract.ts';
import { meetCalls } from '#modules/office/meetings/contract/meetings.ts';
import { applicationCalls } from '#modules/office/stamps/contract/applications.ts';
import { items } from '#modules/office/supervision/contract/supervise.ts';
import { links } from '#modules/platform/links/contract.ts';
import { orders } from '#modules/services/orders/contract/orders.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { addDemoOrganisation } from './demo-organisation.ts';
import { openTestApp, type Client, type TestOffice } from './testing.ts';
import { unlimited } from './testing/walk.ts';

vi.setConfig({ testTimeout: unlimited, hookTimeout: unlimited });

interface Kind {
  /** By which links know it. */
  module: string;
  call: typeof documents.list;
  /** What the palette asks besides. */
  query?: object;
}
const kind = (module: string, call: unknown, query?: object): Kind => ({
  module,
  call: call as Kind['call'],
  ...(query && { query }),
});
const kinds: readonly Kind[] = [
  kind('documents', documents.list),
  kind('contracts', contracts.list),
  kind('meetings', meetCalls.list),
  kind('activities', activities.list),
  kind('stamps', applicationCalls.list),
  kind('leaders', leaders.list),
  kind('folders', papers, { aside: true }),
  kind('supervision', items.list),
  kind('orders', orders.list),
  kind('tickets', tickets.list),
];
/** As many as links offer of a kind. */
const mostOffered = 10;

let app: TestOffice;
let people: Client[];
beforeAll(async () => {
  app = await openTestApp();
  await app.services.databases.write((tx) => addDemoOrganisation(tx, new Date()));
  const { rows } = await app.db.$client.query<{ id: number }>(`
    select u.id from app_user u join lateral (select count(distinct biz_module) kinds from ticket t where t.creator_id = u.id) own on true
    where u.is_active and u.type_id = 0 order by own.kinds desc, u.id limit 4`);
  people = [app.admin];
  for (const { id } of rows) people.push(await app.signIn(id));
});
afterAll(() => app.close());

const found = async (who: Client, { call, query }: Kind, search_value: string, per_page = 100) =>
  who.get(call, { query: { ...query, search_value, per_page } as never });

interface Shown {
  id: number;
  title: string;
  sn?: string;
  secret_level?: number;
  record_path?: string | null;
}
const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

test('what the list of a kind finds by a title or a number, which is what the palette asks, links find as well, and none of them what one does not see', async () => {
  let tried = 0;
  const missed: string[] = [];
  for (const one of kinds) {
    const all = (await found(app.admin, one, '')).value as unknown as Shown[];
    for (const who of people) {
      const own = (await found(who, one, '')).value as unknown as Shown[];
      for (const row of own.slice(0, 3))
        for (const words of [row.title, row.sn ?? ''].filter((text) => text.length > 1 && text.length <= 60)) {
          const told = `${one.module} “${words}” ${who.username}`;
          const list = await found(who, one, words);
          if (!idsOf(list.value).includes(row.id)) missed.push(`list: ${told}`);
          const cards = await who.get(links.candidates, { query: { module: one.module, search_value: words } });
          const beyond = idsOf(cards).filter((id) => !idsOf(list.value).includes(id));
          if (list.total <= 100 && beyond.length > 0) missed.push(`links find more: ${told} ${beyond.join()}`);
          // A secret is named in no list but its own, and a ticket that decides a record is linked as that record.
          if (row.secret_level || row.record_path || list.total > mostOffered) continue;
          tried += 1;
          if (!idsOf(cards).includes(row.id)) missed.push(`links: ${told}`);
        }
      const foreign = own.length < 100 ? all.find(({ id }) => !idsOf(own).includes(id)) : undefined;
      if (!foreign) continue;
      const query = { module: one.module, search_value: foreign.title };
      for (const some of [(await found(who, one, foreign.title)).value, await who.get(links.candidates, { query })])
        if (idsOf(some).includes(foreign.id))
          missed.push(`beyond what they see: ${one.module} ${foreign.title} ${who.username}`);
    }
  }
  expect(missed).toEqual([]);
  expect(tried).toBeGreaterThan(30);
});
