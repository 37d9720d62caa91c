import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { SetupRow } from '../../contract/setup.ts';
import SetupLeft from './SetupLeft.tsx';
import SetupPage from './SetupPage.tsx';

const server = servedPage();
const step = (key: string, more: Partial<SetupRow> = {}): SetupRow => ({
  key,
  title: key,
  help: '说明',
  state: 'open',
  found: '',
  web_path: `/${key}`,
  actions: ['skip'],
  ...more,
});
const answer = (value: SetupRow[]) => ok({ value });

test('each set-up step shows its state, and one not needed is left out of the count', async () => {
  let skipped = false;
  server.answers(({ path, method }) => {
    if (method === 'PUT' && decodeURI(path) === '/api/accounts/settings/setup/印章/') {
      skipped = true;
      return ok({});
    }
    return answer([
      step('部门', { state: 'done', found: '12 个部门', actions: [] }),
      step('印章', { state: skipped ? 'skipped' : 'open' }),
      step('备份', { web_path: null }),
    ]);
  });
  show(<SetupPage />, { codes: ['Retrieve', 'Update'] });
  expect(await screen.findByText('1 / 3')).toBeTruthy();
  const rows = screen.getAllByRole('listitem').map((one) => within(one));
  expect(rows[0]!.getByText('12 个部门')).toBeTruthy();
  expect(rows[0]!.queryByRole('button')).toBeNull();
  expect(rows[1]!.getByRole('link', { name: '去办理 印章' }).getAttribute('href')).toBe('/印章');
  expect(rows[2]!.queryByRole('link')).toBeNull();
  fireEvent.click(rows[1]!.getByRole('button', { name: '不需要' }));
  await waitFor(() => expect(screen.getByText('1 / 2')).toBeTruthy());
  expect(screen.getByRole('button', { name: '仍要办理' })).toBeTruthy();
});

test('the home page names the remaining set-up steps, and shows nothing once all are done', async () => {
  server.answers(() => answer([step('部门', { state: 'done' }), step('人员'), step('印章', { state: 'skipped' })]));
  const first = show(<SetupLeft />);
  expect(await screen.findByRole('link', { name: '人员' })).toBeTruthy();
  expect(screen.getByRole('link', { name: '已完成 1 项，还有 1 项' })).toBeTruthy();
  expect(screen.queryByText('印章')).toBeNull();
  first.unmount();
  server.answers(() => answer([step('部门', { state: 'done' })]));
  const second = show(<SetupLeft />);
  await waitFor(() => expect(second.container.querySelector('.home-nothing')).toBeTruthy());
  expect(screen.queryByRole('link')).toBeNull();
});

test('the home page shows neither set-up steps nor an error to a user with a partial scope', async () => {
  server.answers(() => ({ code: codes.forbidden, msg: '“上线清单”影响整个单位', data: null }));
  const { container } = show(<SetupLeft />);
  await waitFor(() => expect(container.querySelector('.home-nothing')).toBeTruthy());
  expect(screen.queryByText(/影响整个单位/)).toBeNull();
});
