import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { servedPage } from '../../testing/page.ts';
import { ok, refuse } from '../../testing/server.ts';
import { show } from '../../testing/show.tsx';
import { stamps } from '../../testing/stamps.ts';
import { ListPage } from '../list/ListPage.tsx';
import { usePreference } from '../preferences.tsx';
import { UndoButton, useTakingOut } from './undo.tsx';

const server = servedPage();
const listed = (value: object[]) => ({ value, total: value.length, page: 1, per_page: 10 });
const removals = () => server.asked.filter((one) => one.method === 'DELETE').map((one) => one.path);

async function open(answer: 'taken' | 'refused' = 'taken') {
  let kept = [1, 2];
  server.answers(({ method, path }) => {
    if (method === 'GET') return ok(listed(kept.map((id) => ({ id, name: `印章 ${id}`, count: 1 }))));
    if (answer === 'refused') return refuse(-1, '“印章 1”正在使用，不能删除');
    kept = kept.filter((id) => path !== `/api/stamp/${id}/`);
    return ok({ id: 1 });
  });
  show(
    <ListPage
      card={[]}
      name="stamp/list"
      title="印章"
      call={stamps.list}
      columns={[{ key: 'name', title: '名称', main: true }]}
      rowActions={(row) => (
        <UndoButton
          call={stamps.remove}
          asked={{ params: { id: row.id } }}
          says={`删除“${row.name}”`}
          leaving={{ list: 'stamp/list', ids: [row.id] }}
        >
          删除
        </UndoButton>
      )}
      empty={{ why: '没有印章' }}
    />,
    { codes: ['Retrieve', 'Delete'] },
  );
  await screen.findByText('印章 1');
  fireEvent.click(screen.getAllByText(/^删\s?除$/)[0]!);
  await waitFor(() => expect(screen.queryByText('印章 1')).toBeNull());
  await screen.findByText(/删除“印章 1”，10 秒后提交/);
}

test('a deleted row disappears at once and comes back when that is undone, with nothing sent', async () => {
  await open();
  fireEvent.click(screen.getByText(/^撤\s?销$/));
  await screen.findByText('印章 1');
  await screen.findByText('已撤销，没有提交');
  expect(removals()).toEqual([]);
});

test('a person who does not wait sends the deletion at once, and the row stays away', async () => {
  await open();
  fireEvent.click(screen.getByText('立即提交'));
  await waitFor(() => expect(removals()).toEqual(['/api/stamp/1/']));
  await screen.findByText('操作成功');
  expect(screen.queryByText('印章 1')).toBeNull();
  expect(screen.getByText('印章 2')).toBeDefined();
});

test('a refused deletion brings the row back', async () => {
  await open('refused');
  fireEvent.click(screen.getByText('立即提交'));
  await screen.findByText('印章 1');
  expect(screen.queryByText('操作成功')).toBeNull();
});

const none: string[] = [];
function Words() {
  const [words, save] = usePreference('words', none);
  const takeOut = useTakingOut<string>('words');
  return (
    <>
      <button onClick={() => takeOut(words, '乙', '已删除“乙”')}>去掉乙</button>
      <button onClick={() => save([...words, '丁'])}>加上丁</button>
    </>
  );
}

test('a removed personal setting is restored at its place, beside what was added since', async () => {
  const saved = vi.fn();
  show(<Words />, { preferences: { words: ['甲', '乙', '丙'] }, saved });
  fireEvent.click(screen.getByText('去掉乙'));
  expect(saved).toHaveBeenLastCalledWith('words', ['甲', '丙']);
  fireEvent.click(screen.getByText('加上丁'));
  fireEvent.click(await screen.findByText(/^撤\s?销$/));
  expect(saved).toHaveBeenLastCalledWith('words', ['甲', '乙', '丙', '丁']);
});
