import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { servedPage } from '../../testing/page.ts';
import { ok } from '../../testing/server.ts';
import { show } from '../../testing/show.tsx';
import { stamps } from '../../testing/stamps.ts';
import { EditDrawer } from './EditDrawer.tsx';

const server = servedPage();
type Row = { id: number; name: string; count: number; version: number };
const change = { ...stamps.create, method: 'PUT', path: '/api/stamp/{id}/' } as unknown as typeof stamps.create;
const added = vi.fn();
const drawer = (open: Row | 'new' | null) => (
  <EditDrawer<Row, typeof stamps.create>
    noun="印章"
    name="stamp"
    open={open}
    onClose={() => undefined}
    titleOf={({ name }) => name}
    add={stamps.create}
    change={change}
    initial={{ count: 3 }}
    onAdded={added}
    fields={[
      { name: 'name', label: '名称' },
      { name: 'count', label: '枚数' },
    ]}
  />
);

test('an edited row is saved with the version that was read, and a new one starts from the given values', async () => {
  server.answers(() => ok({ id: 8 }));
  const { unmount } = show(drawer({ id: 7, name: '公章', count: 1, version: 4 }));
  expect(await screen.findByText('编辑印章“公章”')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('枚数'), { target: { value: '2' } });
  fireEvent.click(screen.getByRole('button', { name: '保存印章' }));
  await waitFor(() => expect(server.asked[0]?.body).toMatchObject({ name: '公章', count: 2, version: 4 }));
  expect(server.asked[0]).toMatchObject({ method: 'PUT', path: '/api/stamp/7/' });
  unmount();
  show(drawer('new'));
  fireEvent.change(await screen.findByLabelText('名称'), { target: { value: '财务章' } });
  fireEvent.click(screen.getByRole('button', { name: '新增印章' }));
  await waitFor(() => expect(added).toHaveBeenCalledWith({ id: 8 }));
  expect(server.asked.at(-1)).toMatchObject({ method: 'POST', body: { name: '财务章', count: 3 } });
});

test('the edit drawer is absent while nothing is edited', () => {
  show(drawer(null));
  expect(screen.queryByRole('dialog')).toBeNull();
});
