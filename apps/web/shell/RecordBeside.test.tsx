import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Link, Route, Routes, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
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

/** A report with its month in the address, and a link to the next one. */
function Monthly() {
  const { id } = useParams();
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const to = (address: string) => () => void navigate(address, { replace: true });
  return (
    <>
      <p>
        月报 {id}，{search.get('month') ?? '本月'}
      </p>
      <button type="button" onClick={() => setSearch({ month: '2030-05' }, { replace: true })}>
        五月
      </button>
      <button type="button" onClick={to('/monthly/8')}>
        下一份
      </button>
      <button type="button" onClick={to('/list')}>
        全部月报
      </button>
    </>
  );
}

test('navigation within a record’s page stays in the preview, and a link to a list leaves it', async () => {
  registry.pages['test/monthly'] = () => Promise.resolve({ default: Monthly });
  registry.fixed.push({ path: '/monthly/:id', page: 'test/monthly', title: '月报' });
  const { address } = show(
    <SessionContext value={{ menu: menuOf([], []) } as Session}>
      <Routes>
        <Route path="/todo" element={<RecordBeside to="/monthly/7" otherwise={null} />} />
        <Route path="/list" element={<p>所有月报</p>} />
      </Routes>
    </SessionContext>,
    { at: '/todo?row=a.1', reads: ['/monthly/7'] },
  );
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  await screen.findByText('月报 7，本月');
  press('五月');
  await screen.findByText('月报 7，2030-05');
  press('下一份');
  await screen.findByText('月报 8，本月');
  expect(address()).toBe('/todo?row=a.1');
  press('全部月报');
  await screen.findByText('所有月报');
  expect(address()).toBe('/list');
});

test('a record’s page in a preview names no tab, navigates nobody, and holds the tab only while it is there', async () => {
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
