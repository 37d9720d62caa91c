import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { DocumentDetail } from '../contract/shapes.ts';
import { LastEdits } from './record/LastEdits.tsx';

const server = servedPage();
const doc = { id: 7, inside: true } as unknown as DocumentDetail;
const edit = (no: number | null, [id, alias, state]: [number, string, string], fields: [string, string, string][]) => ({
  id: no ?? 99,
  no,
  editor_info: { id, username: alias, alias, dept_id: null, dept_name: '' },
  state,
  fields: fields.map(([field, label, after]) => ({ field, label, before: '旧', after })),
  gmt_created: '2026-11-20 10:00:00',
});
const head: [number, string, string] = [3, '李处长', '部门核稿'];
const office: [number, string, string] = [4, '党政办', '办公室核稿'];

test('one line lists everything that the last handler changed, and nothing of earlier ones', async () => {
  const value = [
    edit(3, office, [['annotation', '附注', '此件主动公开']]),
    edit(2, office, [
      ['annotation', '附注', '先前的附注'],
      ['body_html', '正文', '改动的一段'],
      ['copy_send', '抄送', ''],
    ]),
    edit(1, head, [['title', '标题', '关于考试的通知']]),
  ];
  server.answers(() => ok({ value, total: 3, body: [], unread: false }));
  show(<LastEdits doc={doc} />);
  const line = await screen.findByRole('note', { name: '上一步的修改' });
  expect(line.textContent).toMatch(/^党政办在“办公室核稿”修改了附注（改为“此件主动公开”）、正文、抄送（已清空）/);
  expect(line.textContent).not.toContain('标题');
});

test('edits by the author before the submission are not listed', async () => {
  server.answers(() => ok({ value: [edit(null, head, [['title', '标题', '新']])], total: 1, body: [], unread: false }));
  const { container } = show(<LastEdits doc={doc} />);
  await expect.poll(() => server.asked.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(container.textContent).toBe('');
});
