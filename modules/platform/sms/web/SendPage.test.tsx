import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import SendPage from './SendPage.tsx';

const server = servedPage();
const counted = {
  total: 3,
  valid: 2,
  invalid: 1,
  duplicate: 0,
  blacklist: 0,
  no_consent: 0,
  busy: 0,
  segments_each: 2,
  segments_total: 4,
  quota_left: 90,
  said_today: 0,
  needs_confirm: false,
  preview: '停水',
};
const sent = { batch_id: 1, total: 2, segments: 4, skipped: [], skipped_total: 0, send_at: null, confirm_token: null };
const title = { selector: '.ant-modal-confirm-title' };
const sendings = () => server.asked.filter(({ path }) => path === '/api/sms/send/');

test('text messages are sent after one confirmation with number and cost', async () => {
  server.answers(({ path }) =>
    ok(
      path.endsWith('/count/')
        ? counted
        : path.endsWith('/send/')
          ? sent
          : path === '/api/sms/batch/'
            ? { value: [], total: 0, page: 1, per_page: 20 }
            : [],
    ),
  );
  show(<SendPage />, { at: '/sms/send', codes: ['Create'] });
  fireEvent.change(await screen.findByLabelText('其他号码'), { target: { value: '13800000001 13800000002' } });
  fireEvent.change(screen.getByLabelText('内容'), { target: { value: '周六停水' } });
  fireEvent.click(screen.getByRole('button', { name: '发送短信' }));
  const question = within(
    (await screen.findByText('发给 2 个号码，共 4 条', title)).closest('[role=dialog]') as HTMLElement,
  );
  expect(sendings()).toHaveLength(0);
  fireEvent.click(question.getByRole('button', { name: '再看看' }));
  fireEvent.click(screen.getByRole('button', { name: '发送短信' }));
  const again = await screen.findAllByText('发给 2 个号码，共 4 条', title);
  fireEvent.click(
    within(again.at(-1)!.closest('[role=dialog]') as HTMLElement).getByRole('button', { name: '发送短信' }),
  );
  await waitFor(() => expect(sendings()).toHaveLength(1));
});

const person = { id: 7, username: 'zs', alias: '张三', dept_id: 1, dept_name: '教务处' };
const group = {
  id: 3,
  version: 2,
  name: '值班组',
  recipients: { all: false, depts: [], roles: [], users: [7] },
  alumnus_ids: [],
  alumnus_filter: null,
  shared: false,
  owner_name: '张三',
  mine: true,
  known: [person],
  actions: ['update', 'delete'],
};
const serve = () =>
  server.answers(({ path, method }) =>
    ok(
      path.endsWith('/count/')
        ? counted
        : path === '/api/sms/group/'
          ? method === 'GET'
            ? { value: [group], total: 1, page: 1, per_page: 100 }
            : { id: 4 }
          : path === '/api/oauth/staff/7/'
            ? person
            : path === '/api/sms/batch/'
              ? { value: [], total: 0, page: 1, per_page: 20 }
              : [],
    ),
  );
const countedFor = () => server.asked.findLast(({ path }) => path === '/api/sms/mobile/count/')?.body;

test('a chosen group fills in its recipients, and the form’s recipients are saved as a group without typed numbers', async () => {
  serve();
  show(<SendPage />, { at: '/sms/send', codes: ['Create'] });
  fireEvent.mouseDown(await screen.findByRole('combobox', { name: '分组' }));
  fireEvent.click(await screen.findByText('值班组', { selector: '.ant-select-item-option-content' }));
  await screen.findByText('张三（教务处）');
  await waitFor(() => expect(countedFor()).toMatchObject({ recipients: { users: [7] } }));
  fireEvent.change(screen.getByLabelText('其他号码'), { target: { value: '13800000001' } });
  fireEvent.click(screen.getByRole('button', { name: '存为分组' }));
  fireEvent.change(await screen.findByLabelText('名称'), { target: { value: '夜班组' } });
  fireEvent.click(screen.getByRole('button', { name: '保存分组' }));
  const kept = () => server.asked.find(({ path, method }) => path === '/api/sms/group/' && method === 'POST');
  await waitFor(() => expect(kept()).toBeDefined());
  expect(kept()!.body).toEqual({
    name: '夜班组',
    recipients: group.recipients,
    alumnus_ids: [],
    alumnus_filter: null,
  });
  expect(sendings()).toHaveLength(0);
});

test('a person named in the address is preselected when the form opens', async () => {
  serve();
  show(<SendPage />, { at: '/sms/send?write_to=7', codes: ['Create'] });
  await screen.findByText('张三（教务处）');
  await waitFor(() => expect(countedFor()).toMatchObject({ recipients: { users: [7] } }));
});
