import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Detail } from '../contract/shapes.ts';
import { PrintSheet } from './print/PrintSheet.tsx';

const server = servedPage();

const field = (field_name: string, field_type_id: number, field_value: unknown, more: object = {}) => ({
  field_key: field_name,
  field_name,
  field_type_id,
  field_value,
  field_display: '',
  field_files: [],
  columns: [],
  ...more,
});
const ticket = {
  id: 7,
  sn: 'BX202611200007',
  title: '水管 <b>漏水</b>',
  workflow_info: { workflow_id: 1, workflow_name: '报修单' },
  act_state_name: '已通过',
  creator_info: { alias: '张三', dept_name: '后勤处' },
  gmt_created: '2026-11-20 09:30:15',
  field_list: [
    field('报修类别', fieldType.radio, 'network', { field_display: '水电' }),
    field('预计金额', fieldType.float, 0),
    field('说明', fieldType.textarea, ''),
    field('图片', fieldType.file, [3], {
      field_files: [{ id: 3, name: '水管.jpg', mime: 'image/jpeg', url: '/api/files/3/?t=x' }],
    }),
  ],
} as unknown as Detail;
const action = (seq: number, action: string, alias: string | null, words: string, more: object = {}) => ({
  id: seq,
  seq,
  action,
  state: { state_id: 2, state_name: '部门负责人审批' },
  transition: { transition_name: action === 'handle' ? '同意' : '提交' },
  participant_info: alias && { alias },
  on_behalf_of: null,
  suggestion: words,
  signature: null,
  files: [],
  gmt_created: `2026-11-20 1${seq}:05:00`,
  ...more,
});
const steps = [
  { state_flow_log_list: [action(3, 'handle', '李四', '同意', { on_behalf_of: { alias: '王五' } })] },
  { state_flow_log_list: [action(1, 'submit', '张三', ''), action(2, 'comment', '张三', '请尽快')] },
  { state_flow_log_list: [action(4, 'handle', '赵六', '已修好', { signature: { url: '/api/files/9/?t=y' } })] },
];

test('the printed sheet has the form as its reader sees it and every opinion in order, with name, time and signature', async () => {
  server.answers(() => ok({ value: steps, current_state_id: 5 }));
  const { container } = show(<PrintSheet ticket={ticket} />);
  await waitFor(() => expect(container.textContent).toContain('赵六'));
  expect(server.asked.map((one) => one.path)).toEqual(['/api/tickets/7/flowsteps/']);
  expect(container.querySelector('h1')!.textContent).toBe('报修单');
  const [form, opinions] = [...container.querySelectorAll('.ticket-sheet > table')].map((table) =>
    [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent)),
  );
  expect(form).toEqual([
    ['标题', '水管 <b>漏水</b>'],
    ['发起人', '张三 后勤处', '发起时间', '2026-11-20 09:30'],
    ['报修类别', '水电'],
    ['预计金额', '0'],
    ['说明', '—'],
    ['图片', expect.stringContaining('水管.jpg')],
  ]);
  expect(opinions).toEqual([
    ['部门负责人审批', '张三', '提交', '', '2026-11-20 11:05'],
    ['部门负责人审批', '李四（代 王五）', '同意', '同意', '2026-11-20 13:05'],
    ['部门负责人审批', '赵六', '同意', '已修好', '2026-11-20 14:05'],
  ]);
  expect(container.querySelector('.ticket-signature')!.getAttribute('alt')).toBe('赵六 的签名');
  expect(container.textContent).toContain('流水号：BX202611200007');
});

test('a workflow’s own print template is filled with the values it names, without hidden fields, scripts or images', async () => {
  server.answers(() => ok({ value: steps, current_state_id: 5 }));
  const print_template =
    '<h2 style="text-align: center; color: red">维修单</h2><p>编号 <span data-variable="sn"></span></p>' +
    '<table><tbody><tr><th colspan="2">类别</th><td><p><span data-variable="报修类别"></span></p></td></tr></tbody></table>' +
    '<p>暗<span data-variable="hidden"></span>处</p><script>alert(1)</script><img src="x" onerror="y()">' +
    '<p><span data-variable="opinions"></span></p>';
  const { container } = show(<PrintSheet ticket={{ ...ticket, print_template }} />);
  await waitFor(() => expect(container.textContent).toContain('赵六'));
  const page = container.querySelector('.printed-page')!;
  expect(page.querySelector('h2')!.getAttribute('style')).toBe('text-align: center;');
  expect(page.textContent).toContain('编号 BX202611200007');
  expect(page.querySelector('td')!.textContent).toBe('水电');
  expect(page.querySelector('th')!.colSpan).toBe(2);
  expect(page.textContent).toContain('暗处');
  expect(page.querySelectorAll('script, img[src=x]')).toHaveLength(0);
  expect(container.querySelectorAll('.ticket-sheet > table')).toHaveLength(0);
});
