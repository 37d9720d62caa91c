import { act, renderHook } from '@testing-library/react';
import { unstable_HistoryRouter as HistoryRouter, useNavigate } from 'react-router';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { officeHistory } from './addresses.ts';
import { menuOf } from './menu.ts';
import { useTabs } from './useTabs.ts';

const menu = menuOf([], []);
const known = () => true;
const Router = ({ children }: { children: ReactNode }) => (
  <HistoryRouter history={officeHistory}>{children}</HistoryRouter>
);

test('a tab keeps the search that was typed just before another page was opened', async () => {
  officeHistory.replace('/system/user');
  const { result } = renderHook(() => ({ tabs: useTabs(menu, known), navigate: useNavigate() }), { wrapper: Router });
  // The router renders the second address alone.
  await act(async () => {
    await result.current.navigate('/system/user?search_value=张三', { replace: true });
    await result.current.navigate('/system/role');
  });
  const whereIs = (path: string) => result.current.tabs.state.visited.find((view) => view.path === path)?.fullPath;
  expect(decodeURI(whereIs('/system/user')!)).toBe('/system/user?search_value=张三');
  expect(whereIs('/system/role')).toBe('/system/role');
});
