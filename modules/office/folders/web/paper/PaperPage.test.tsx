import { fireEvent, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { PaperDetail } from '../../contract/papers.ts';
import PaperPage from './PaperPage.tsx';

const server = servedPage();
const paper: PaperDetail = {
  id: 7,
  title: '差旅费管理办法',
  category_id: 1,
  category_name: '人事财务',
  fwh: '校财〔2026〕7号',
  dept: 3,
  dept_name: '财务处',
  publish_date: '2026-03-01',
  effective_date: null,
  expire_date: null,
  status: 1,
  approval: null,
  version_no: 1,
  keywords: '',
  must_read: false,
  read_deadline: null,
  top: false,
  read_count: 0,
  collect_count: 0,
  read_rate: null,
  my_read: false,
  to_confirm: false,
  collect_id: null,
  gmt_created: '2026-03-01 09:00:00',
  gmt_modified: '2026-03-01 09:00:00',
  version: 0,
  actions: ['update', 'revise', 'repeal', 'readers'],
  creator_info: null,
  content: '第一条 按标准报销。',
  file: null,
  file_info: null,
  attachments: [],
  attachments_info: [],
  scope: { all: false, depts: [3], roles: [], users: [], users_info: [], called: '财务处' },
  quiz: [],
  ticket_id: null,
  approved: false,
  needs_approval: false,
  outdated: [],
  source_document_id: null,
  repeal_reason: null,
  repeal_date: null,
  replace_id: null,
  versions: [],
};
const open = (more: Partial<PaperDetail> = {}) => {
  server.answers(({ path }) => {
    if (path === '/api/folder/papers/7/') return ok({ ...paper, ...more });
    if (path === '/api/folder/read/')
      return ok({ times: 1, first_time: null, confirmed_at: null, to_confirm: false, readers: null });
    return ok([]);
  });
  const at = '/folder/detail/7';
  show(
    <Routes>
      <Route path="/folder/detail/:id" element={<PaperPage />} />
    </Routes>,
    { at },
  );
};

test('a regulation is edited and revised from its own page by those who may', async () => {
  open();
  fireEvent.click(await screen.findByRole('button', { name: '修订' }));
  expect(await screen.findByRole('heading', { name: '修订制度文件' })).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: '取消' }));
  fireEvent.click(await screen.findByRole('button', { name: '编辑' }));
  expect(await screen.findByRole('heading', { name: '编辑制度文件' })).toBeTruthy();
});

test('a reader is neither offered to edit a regulation nor told its audience', async () => {
  open({ actions: [], scope: null });
  expect(await screen.findByText('第一条 按标准报销。')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /编辑|修订/ })).toBeNull();
  expect(screen.queryByText(/阅读范围/)).toBeNull();
});

test('the audience of a regulation is shown on its page to its managers', async () => {
  open();
  expect(await screen.findByText('阅读范围：财务处')).toBeTruthy();
});
