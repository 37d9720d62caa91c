import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ok } from '#kernel/web/testing/server.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { leaders } from '../contract.ts';
import { useForce } from './fields.tsx';

const server = servedPage();

test('a drawer whose entry clashes closes once somebody who may do so keeps both, and stays open otherwise', async () => {
  server.answers(() => ok({ id: 7 }));
  const close = vi.fn();
  function Drawer({ can_force }: { can_force: boolean }) {
    const force = useForce(leaders.edit);
    const failure = { data: { can_force, clashes: [{ leader: '刘翰林', time: '09:00', title: '校务会' }] } };
    return <button onClick={() => force(failure, { version: 3 }, { id: 7 }, close)}>移动</button>;
  }
  show(<Drawer can_force={false} />);
  fireEvent.click(screen.getByRole('button', { name: '移动' }));
  expect(screen.queryByText('时间冲突')).toBeNull();
  show(<Drawer can_force />);
  fireEvent.click(screen.getAllByRole('button', { name: '移动' }).at(-1)!);
  fireEvent.click(await screen.findByRole('button', { name: '保留两项' }));
  await waitFor(() => expect(close).toHaveBeenCalledTimes(1));
  expect(close).toHaveBeenCalledWith({ id: 7 });
  expect(server.asked.at(-1)).toMatchObject({ body: { version: 3, force: true } });
  expect(server.asked.at(-1)!.path).toContain('/7/');
});
