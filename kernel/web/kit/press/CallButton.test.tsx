import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { servedPage } from '../../testing/page.ts';
import { show } from '../../testing/show.tsx';
import { ok } from '../../testing/server.ts';
import { stamps } from '../../testing/stamps.ts';
import { CallButton } from './CallButton.tsx';

const server = servedPage();

const asked = { params: { id: 7 } };

test('a call button is absent without the call’s permission on the page', () => {
  show(
    <CallButton call={stamps.remove} asked={asked}>
      删除
    </CallButton>,
    { codes: ['Retrieve', 'Update'] },
  );
  expect(screen.queryByRole('button')).toBeNull();
});

test('a call button is absent when the record does not allow the action, whatever the permission', () => {
  show(
    <CallButton call={stamps.remove} asked={asked} allowed={false}>
      删除
    </CallButton>,
    { codes: ['Delete'] },
  );
  expect(screen.queryByRole('button')).toBeNull();
});

test('a call button sends its call with the code and reports the result', async () => {
  server.answers(() => ok({ id: 7 }));
  const done = vi.fn();
  show(
    <CallButton call={stamps.remove} asked={asked} onDone={done}>
      删除
    </CallButton>,
    { codes: ['Delete'] },
  );
  fireEvent.click(screen.getByRole('button', { name: '删除' }));
  await waitFor(() => expect(done).toHaveBeenCalledWith({ id: 7 }));
  expect(server.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /api/stamp/7/']);
});

test('a call button shows the answer of its call', async () => {
  server.answers(() => ok({ id: 7 }));
  show(
    <CallButton call={stamps.remove} asked={asked} done={({ id }) => `已删除第 ${id} 枚`}>
      删除
    </CallButton>,
    { codes: ['Delete'] },
  );
  fireEvent.click(screen.getByRole('button', { name: '删除' }));
  await screen.findByText('已删除第 7 枚');
});

test('a call button asks first if something could be lost, and sends nothing on refusal', async () => {
  server.answers(() => ok({}));
  show(
    <CallButton call={stamps.remove} asked={asked} confirm={{ title: '删除印章“公章”' }}>
      删除
    </CallButton>,
    { codes: ['Delete'] },
  );
  fireEvent.click(screen.getByRole('button', { name: '删除' }));
  await screen.findByRole('dialog');
  fireEvent.click(screen.getByRole('button', { name: '取消' }));
  expect(server.asked).toHaveLength(0);
});
