import { afterAll, expect, test } from 'vitest';
import { counted } from '#apps/server/testing/counted.ts';
import type { Client } from '#apps/server/testing.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { documents } from './contract.ts';
import { openSchool } from './testing/school.ts';

const school = await openSchool();
afterAll(() => school.office.close());

test('a list, a page, a new document and a decision take a fixed number of statements, however many documents there are', async () => {
  const { author, head, clerk, write, detail } = school;
  const made = [];
  for (let at = 0; at < 4; at += 1) made.push(await write());
  const of = async (who: Client, work: () => Promise<unknown>) => (await counted(who, work)).length;
  const listed = (who: Client, query: object) =>
    of(who, () => who.get(documents.list, { query: { per_page: 100, ...query } }));
  const { id, ticket_id } = made[0]!;
  const figures = {
    few: await of(author, () => author.get(documents.list, { query: { per_page: 1 } })),
    many: await listed(author, {}),
    duty: await listed(head, { category: 'duty' }),
    all: await listed(clerk, { category: 'all' }),
    page: await of(author, () => detail(author, id)),
    created: await of(author, () => write()),
    draft: await of(author, () => write({ submit: false })),
    decided: await of(head, () =>
      head.get(tickets.handle, { params: { id: ticket_id }, body: { transition_id: 3, suggestion: '同意' } }),
    ),
  };
  expect(figures).toEqual({ few: 7, many: 7, duty: 6, all: 6, page: 14, created: 33, draft: 22, decided: 26 });
});
