import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { PageBoundary } from './PageBoundary.tsx';

const server = servedPage();

test('a page that fails in the browser shows the number under which the server logged it, and can be reloaded', async () => {
  // React prints the errors that it caught.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  server.answers(() => ok({ trace_id: 'e0f1-22' }));
  let broken = true;
  const Page = () => {
    if (broken) throw new TypeError('cannot read x');
    return <h1>印章</h1>;
  };
  show(
    <PageBoundary>
      <Page />
    </PageBoundary>,
  );
  expect(await screen.findByText('e0f1-22')).toBeDefined();
  expect(screen.getByRole('alert').textContent).toContain('问题编号');
  const [told] = server.asked.filter(({ path }) => path === '/api/accounts/log/broken/');
  expect(told?.body).toMatchObject({ message: 'cannot read x', stack: expect.stringContaining('TypeError') });
  broken = false;
  fireEvent.click(screen.getByRole('button', { name: '重试' }));
  await waitFor(() => expect(screen.getByRole('heading', { name: '印章' })).toBeDefined());
});
