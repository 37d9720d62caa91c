import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { Row } from '../../contract/shapes.ts';
import { BatchBar } from './batch/BatchBar.tsx';

const server = servedPage();

const row = (id: number, title: string, actions: string[]) => ({ id, sn: `QJ${id}`, title, actions }) as unknown as Row;
const rows = [
  row(1, '张三请假', ['approve', 'batch']),
  row(2, '李四请假', ['approve', 'batch']),
  row(3, '报修', ['accept']),
];

test('a batch is sent when the time to undo it is over, and its failures are listed by name', async () => {
  server.answers(() =>
    ok({
      value: [
        { id: 1, ok: true, code: 0, msg: '' },
        { id: 2, ok: false, code: 4009, msg: '王五已在 09:30“同意”，这张工单现在不由您处理' },
      ],
    }),
  );
  const clear = vi.fn();
  show(<BatchBar rows={rows} clear={clear} />);
  fireEvent.click(screen.getByRole('button', { name: '批量同意' }));
  expect(await screen.findByText('1 张需要逐张打开办理，不在这次之内')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: '同意 2 张' }));
  expect(clear).toHaveBeenCalled();
  expect(await screen.findByText(/同意 2 张工单，10 秒后提交/)).toBeDefined();
  expect(server.asked.filter((one) => one.method !== 'GET')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: '立即提交' }));
  const failed = within(await screen.findByRole('list', { name: '未成功的工单' })).getAllByRole('listitem');
  expect(failed.map((one) => one.textContent)).toEqual([expect.stringMatching(/李四请假.*王五已在 09:30“同意”/)]);
  expect(screen.getByText('已同意 1 张，1 张未成功')).toBeDefined();
  expect(server.asked.at(-1)?.body).toEqual({ ticket_ids: [1, 2], action: 'agree', suggestion: '' });
});

test('a batch undone within ten seconds is never sent', async () => {
  server.answers(() => ok([]));
  show(<BatchBar rows={rows} clear={() => {}} />);
  fireEvent.click(screen.getByRole('button', { name: '批量同意' }));
  fireEvent.click(await screen.findByRole('button', { name: '同意 2 张' }));
  fireEvent.click(await screen.findByRole('button', { name: '撤销' }));
  expect(await screen.findByText('已撤销，没有提交')).toBeDefined();
  expect(server.asked.filter((one) => one.method !== 'GET')).toEqual([]);
  expect(Object.keys(localStorage).filter((key) => key.includes('later'))).toEqual([]);
});

test('a batch refusal needs an opinion and a batch hand-over a person before anything is sent', async () => {
  server.answers(() => ok([]));
  show(<BatchBar rows={rows} clear={() => {}} />);
  fireEvent.click(screen.getByRole('button', { name: '批量拒绝' }));
  fireEvent.click(await screen.findByRole('button', { name: '拒绝 2 张' }));
  expect(await screen.findByText('拒绝需要填写意见')).toBeDefined();
  cleanup();
  show(<BatchBar rows={rows} clear={() => {}} />);
  fireEvent.click(screen.getByRole('button', { name: '批量转交' }));
  fireEvent.click(await screen.findByRole('button', { name: '转交 2 张' }));
  expect(await screen.findByText('请选择人员')).toBeDefined();
  await waitFor(() => expect(server.asked.filter((one) => one.method !== 'GET')).toEqual([]));
});
