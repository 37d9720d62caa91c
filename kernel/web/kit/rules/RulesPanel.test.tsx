import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ruleCalls, rules } from '#kernel/contract/rules.ts';
import { field } from '#kernel/contract/titles.ts';
import { servedPage } from '../../testing/page.ts';
import { ok } from '../../testing/server.ts';
import { show } from '../../testing/show.tsx';
import { RulesPanel } from './RulesPanel.tsx';

const server = servedPage();
const shed = rules({
  key: 'shed',
  title: '库房规则',
  shape: {
    days: z
      .int()
      .min(1)
      .max(30)
      .meta(field('借用天数', { group: '借用', help: '超过须续借' })),
    keeper: z.string().meta(field('保管人')),
    inner: z.boolean().meta(field('内部', { hidden: true })),
  },
  defaults: { days: 7, keeper: '', inner: false },
});
const calls = ruleCalls(shed, { prefix: '/api/shed/', page: 'shed/rule' });
const panel = (readOnly: string | null | undefined) => (
  <RulesPanel rules={shed} read={calls.rule} save={calls.saveRule} readOnly={readOnly} />
);

test('the rules form has titles, help and checks of its shape, and sends the version that was read', async () => {
  server.answers(({ method }) =>
    ok(method === 'GET' ? { value: { ...shed.defaults, keeper: '张三' }, version: 4 } : {}),
  );
  show(panel(null));
  const days = await screen.findByLabelText('借用天数');
  expect(screen.getByText('超过须续借')).toBeDefined();
  expect(screen.getByText('借用')).toBeDefined();
  expect(screen.queryByText('内部')).toBeNull();
  fireEvent.change(days, { target: { value: '9' } });
  fireEvent.click(screen.getByRole('button', { name: '保存库房规则' }));
  await waitFor(() => expect(server.asked.some(({ method }) => method === 'PUT')).toBe(true));
  expect(server.asked.find(({ method }) => method === 'PUT')).toMatchObject({
    path: '/api/shed/rule/',
    body: { days: 9, keeper: '张三', version: 4 },
  });
});

test('a rules form in a drawer with its title does not repeat it', async () => {
  server.answers(() => ok({ value: shed.defaults, version: 0 }));
  show(<RulesPanel rules={shed} read={calls.rule} save={calls.saveRule} readOnly={null} untitled />);
  expect(await screen.findByLabelText('借用天数')).toBeDefined();
  expect(screen.queryByRole('heading', { name: '库房规则' })).toBeNull();
});

test('a person who may not change the rules is told why and gets no form', async () => {
  server.answers(() => ok({ value: shed.defaults, version: 0 }));
  show(panel('只有库房管理员可以修改'));
  expect(await screen.findByText('只有库房管理员可以修改')).toBeDefined();
  expect(screen.queryByRole('button', { name: /保存/ })).toBeNull();
});

test('while the permission is unknown a placeholder as tall as the form is shown', async () => {
  server.answers(() => ok({ value: shed.defaults, version: 0 }));
  const { container } = show(panel(undefined));
  await waitFor(() => expect(server.asked).toHaveLength(1));
  expect(container.querySelectorAll('.ant-skeleton-paragraph > li')).toHaveLength(6);
  expect(screen.queryByRole('heading', { name: '库房规则' })).toBeNull();
});
