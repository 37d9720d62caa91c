import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Link, Route, Routes, useLocation, useParams } from 'react-router';
import { expect, test, vi } from 'vitest';
import { PageContext, useBecome, useLeaveGuard, usePageTitle } from '#kernel/web/kit/page.tsx';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { registry } from '../pages.ts';
import { menuOf } from './menu.ts';
import { RecordBeside } from './RecordBeside.tsx';
import type { Session } from './session.ts';
import { SessionContext } from './SessionContext.ts';

emptyPage();

function Paper() {
  const { id } = useParams();
  const { pathname } = useLocation();
  const become = useBecome();
  const may = usePermission();
  usePageTitle(`文件 ${id}`);
  useLeaveGuard('paper', true);
  return (
    <>
      <p>
        文件 {id}，在 {pathname}
        {may('Update') && '，可编辑'}
      </p>
      <button type="button" onClick={() => become('/paper/8')}>
        换一份
      </button>
    </>
  );
}

test('a record’s page is read within another at its own address: it names no tab, takes nobody away, and holds the tab only while it is there', async () => {
  registry.pages['test/paper'] = () => Promise.resolve({ default: Paper });
  registry.fixed.push({ path: '/paper/:id', page: 'test/paper', title: '文件' });
  const [entitle, hold] = [vi.fn(), vi.fn()];
  const within = (to: string) => <RecordBeside key={to} to={to} otherwise={<p>没有自己的页面</p>} />;
  const { address } = show(
    <SessionContext value={{ menu: menuOf([], []) } as Session}>
      <PageContext value={{ entitle, hold }}>
        <Routes>
          <Route path="/todo" element={within('/paper/7')} />
          <Route path="/list" element={within('/index')} />
        </Routes>
        <Link to="/list">列表</Link>
      </PageContext>
    </SessionContext>,
    { at: '/todo', reads: ['/paper/7'] },
  );
  expect((await screen.findByText(/^文件 7/)).textContent).toBe('文件 7，在 /paper/7');
  expect(hold).toHaveBeenLastCalledWith('paper', true);
  fireEvent.click(screen.getByRole('button', { name: '换一份' }));
  expect(await screen.findByText(/^文件 8/)).toBeTruthy();
  expect(address()).toBe('/todo');
  fireEvent.click(screen.getByRole('link', { name: '列表' }));
  expect(await screen.findByText('没有自己的页面')).toBeTruthy();
  await waitFor(() => expect(hold).toHaveBeenLastCalledWith('paper', false));
  expect(entitle).not.toHaveBeenCalled();
});
