import type { Json } from '#kernel/server/testing/sample.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { form, type RepairCast } from '#modules/workflow/tickets/testing/repair.ts';
import { testPassword, type Client, type TestOffice } from '../testing.ts';

/** The sender, path and body of a call, where the schema alone cannot determine them. */
export interface Fit {
  by?: Client;
  path?: string;
  body?: Json;
}
export type Fits = Record<string, () => Fit | Promise<Fit>>;

/** The data that a schema cannot know: people, days, records in the state that a call needs. */
export async function fitsOf(app: TestOffice, cast: RepairCast, examples: Record<string, Json>): Promise<Fits> {
  const { person } = app;
  const { username } = await person();
  const helper = cast.username(cast.helper);
  const ticket =
    (act: string, body: Json, by: 'head' | 'staff' = 'head') =>
    async (): Promise<Fit> => ({
      by: cast[by],
      path: `/api/tickets/${(await cast.begin()).id}/${act}`,
      body: { suggestion: '样本', ...body },
    });
  const paper =
    (act: string, body: Json = {}) =>
    async (): Promise<Fit> => ({
      path: `/api/document/${(await app.admin.get(documents.create, { body: { doc_kind: 1, title: '样本' } })).id}/${act}`,
      body,
    });
  return {
    'POST /api/accounts/login/': () => ({ body: { username, password: testPassword } }),
    'PUT /api/accounts/users/change_pwd/': async () => ({
      by: await app.signIn(await person()),
      body: { old_password: testPassword, new_password: 'Shiyan@2027-yb' },
    }),
    'POST /api/accounts/delegation/': async () => ({
      by: await app.signIn(await person()),
      body: { ...examples['POST /api/accounts/delegation/'], delegate: username },
    }),
    'POST /api/accounts/roles/{id}/users/': async () => ({ body: { user_ids: [(await person()).id] } }),
    'PUT /api/msg/{id}/recall/': async () => {
      const body = { title: '样本', content: '样本', recipients: { all: true } };
      return { path: `/api/msg/${(await app.admin.get(messages.send, { body })).id}/recall/` };
    },
    'POST /api/document/': () => ({ body: { doc_kind: 1, title: '样本' } }),
    'PATCH /api/document/{id}/': paper('', { title: '样本乙' }),
    'POST /api/document/{id}/collect/': paper('collect/'),
    'POST /api/document/{id}/uncollect/': paper('uncollect/'),
    'DELETE /api/document/{id}/': paper(''),
    'POST /api/document/number_book/void/': () => ({ body: { rule_id: 1, year: 2026, seq: 2, reason: '样本' } }),
    'PATCH /api/workflows/custom_notices/{id}/': () => ({ path: '/api/workflows/custom_notices/1/' }),
    'PUT /api/document/category/{id}/': () => ({ path: '/api/document/category/1/' }),
    'PUT /api/document/number_rule/{id}/': () => ({ path: '/api/document/number_rule/1/' }),
    'PUT /api/calendars/{day}/': () => ({ path: '/api/calendars/2027-03-01/' }),
    'POST /api/calendars/years/{year}/': () => ({ path: '/api/calendars/years/2090/' }),
    'POST /api/tickets/': () => ({ by: cast.staff, body: { workflow_id: cast.repair, transition_id: 2, ...form } }),
    'POST /api/tickets/foresee/': () => ({ by: cast.staff, body: { workflow_id: cast.repair, values: form } }),
    'PATCH /api/tickets/{id}/': ticket('', { transition_id: 3 }),
    'POST /api/tickets/{id}/deliver/': ticket('deliver/', { target_username: helper }),
    'POST /api/tickets/{id}/add_node/': ticket('add_node/', { target_username: [helper], type: 'before', mode: 'any' }),
    'POST /api/tickets/{id}/comments/': ticket('comments/', {}),
    'POST /api/tickets/{id}/urge/': ticket('urge/', {}, 'staff'),
    'POST /api/tickets/{id}/cc/': ticket('cc/', { target_username: [helper] }),
    'POST /api/tickets/{id}/retreat/': ticket('retreat/', {}, 'staff'),
    'POST /api/tickets/{id}/suspend/': ticket('suspend/', {}),
    'POST /api/tickets/{id}/close/': ticket('close/', {}, 'staff'),
  };
}
