import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { refuse } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import StartedActs from './StartedActs.tsx';

const server = servedPage();
const row = { of: 7, title: '关于考试的通知', ticket: { id: 7, version: 1 } };

test('when the server refuses to list a ticket’s actions, the module’s own actions are shown, or else a note that there are none', async () => {
  server.answers(() => refuse(codes.absent, '没有这张工单'));
  show(<StartedActs row={row} none={<p>没有可做的</p>} besides={<button type="button">催办</button>} />);
  expect(await screen.findByRole('button', { name: '催办' })).toBeDefined();
  show(<StartedActs row={row} none={<p>没有可做的</p>} />);
  expect(await screen.findByText('没有可做的')).toBeDefined();
  await waitFor(() => expect(document.querySelector('.ant-spin')).toBeNull());
});
