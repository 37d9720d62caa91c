import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { DistributeButton } from './DistributeButton.tsx';

const server = servedPage();

test('a letter is distributed to its addressed departments by default', async () => {
  server.answers(({ method }) => ok(method === 'POST' ? { id: 9, total: 3 } : []));
  const dept = (id: number, name: string) => ({ type: 'dept' as const, id, name });
  const main_send = [dept(3, '教务处'), { type: 'org' as const, name: '市教育局' }];
  const copy_send = [dept(4, '图书馆'), dept(3, '教务处')];
  show(<DistributeButton doc={{ id: 7, title: '关于考试的通知', secret_level: 0, main_send, copy_send }} />);
  fireEvent.click(screen.getByRole('button', { name: /分\s*发/ }));
  fireEvent.click(await screen.findByRole('button', { name: '分发公文' }));
  const sent = await waitFor(() => server.asked.find((one) => one.method === 'POST') ?? expect.fail());
  expect(sent.body).toMatchObject({ document_id: 7, recipients: { all: false, depts: [3, 4] } });
});
