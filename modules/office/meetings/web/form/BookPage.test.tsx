import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import BookPage from './BookPage.tsx';

const server = servedPage();
const me = { id: 5, username: 'zhang', alias: '张三', company: '', department: '教务处', avatar: '' };
const span = { start_time: '2031-03-04 09:00:00', end_time: '2031-03-04 10:00:00' };
const taken = { user_id: 5, alias: '张三', busy: [{ ...span, label: '教研会' }] };
const address = new URLSearchParams({ title: '碰头会', room_id: '3', ...span }).toString();
const answers: Record<string, unknown> = {
  '/api/accounts/info/': me,
  '/api/meet/day/': { date: '2031-03-04', rooms: [] },
  '/api/meet/is_apply/': { can_apply: true, approves: false, reasons: [], conflicts: [], alternatives: [] },
  '/api/meet/busy/': {
    value: [taken],
    free: [{ start_time: '2031-03-04 10:00:00', end_time: '2031-03-04 11:00:00' }],
  },
  '/api/meet/': { id: 9, act_state: 4 },
};
const open = async () => {
  server.answers(({ path }) => ok(answers[path] ?? []));
  show(<BookPage />, { at: `/meet/book?${address}`, codes: ['Create'] });
  return screen.findByLabelText('会议名称');
};
const sent = () => server.asked.filter(({ path, method }) => path === '/api/meet/' && method === 'POST');

test('a meeting is booked with only name, time and room, hosted by its author, who is asked once on a clash', async () => {
  const title = (await open()) as HTMLInputElement;
  expect(title.value).toBe('碰头会');
  fireEvent.click(screen.getByRole('button', { name: /^预\s?约$/ }));
  const said = await screen.findByText('有 1 人当时有安排', { selector: '.ant-modal-confirm-title' });
  expect(sent()).toHaveLength(0);
  const question = within(said.closest('[role=dialog]') as HTMLElement);
  expect(question.getByText(/张三（教研会）/)).toBeTruthy();
  fireEvent.click(question.getByRole('button', { name: /^预\s?约$/ }));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]!.body).toMatchObject({ title: '碰头会', room_id: 3, host_id: 5, submit: true });
});

test('更多 opens the whole form with what was typed, where a time that suits everybody is chosen by one click', async () => {
  fireEvent.change(await open(), { target: { value: '改了名称的会' } });
  fireEvent.click(screen.getByRole('button', { name: /^更\s?多$/ }));
  await screen.findByLabelText('议程');
  expect((screen.getByLabelText('会议名称') as HTMLInputElement).value).toBe('改了名称的会');
  const marks = within(await screen.findByRole('group', { name: '人员忙闲' }));
  expect(marks.getByText('有安排')).toBeTruthy();
  fireEvent.click(marks.getByRole('button', { name: /10:00/ }));
  await waitFor(() => {
    const asked = server.asked.filter(({ path }) => path === '/api/meet/busy/').at(-1)!;
    expect(asked.body).toMatchObject({ users: [5], start_time: '2031-03-04 10:00:00' });
  });
});
