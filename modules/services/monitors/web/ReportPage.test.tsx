import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { ServiceReport } from './ReportPage.tsx';

const server = servedPage();
const measured = { up_s: 0, down_s: 0, maintenance_s: 0, unknown_s: 0, uptime: 99.9 };
const report = {
  customer: { id: 5, name: '城东小学' },
  month: '2026-03',
  all: measured,
  projects: [],
  incidents: [],
  excluded_min: 0,
  ignored_looks: 0,
  deleted_looks: 0,
  deleted_incidents: 0,
  state: 0,
  note: '',
  confirmed_alias: null,
  confirmed_at: null,
  version: 1,
  actions: ['confirm'],
};

test('a service report that is printed can be saved as the file that the server made', async () => {
  server.answers(({ path }, response) => {
    if (!path.endsWith('/pdf/')) return ok({ value: report, months: [{ month: '2026-03', uptime: 99.9, state: 0 }] });
    response.setHeader('Content-Type', 'application/pdf');
    response.end('%PDF-1.7');
    return undefined;
  });
  show(<ServiceReport customer={5} />);
  fireEvent.click(await screen.findByRole('button', { name: '打印' }));
  await screen.findByText('城东小学 2026-03 服务月报');
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: /下载/ }).disabled).toBe(false));
  expect(server.asked.at(-1)?.path).toBe('/api/customer/5/report/pdf/');
  expect(server.asked.at(-1)?.query.get('month')).toBe('2026-03');
});
