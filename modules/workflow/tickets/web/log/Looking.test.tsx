import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { Looking } from './Looking.tsx';

const server = servedPage();

test('a record’s page does not wait to know who else reads it, and their names come into a line that is there before', async () => {
  let arrive = () => undefined as void;
  server.answers((_asking, response) => {
    arrive = () =>
      void response.setHeader('Content-Type', 'application/json').end(JSON.stringify(ok({ value: ['秦浩宇'] })));
    return undefined;
  });
  show(
    <DetailPage title="采购合同" side={<Looking ticket={7} />}>
      <p>正文</p>
    </DetailPage>,
  );
  const line = screen.getByRole('status');
  expect([line.textContent, line.closest('[data-coming]')]).toEqual(['', null]);
  await waitFor(() => expect(server.asked).toHaveLength(1));
  act(() => arrive());
  await waitFor(() => expect(line.textContent).toBe('秦浩宇 也在看'));
});
