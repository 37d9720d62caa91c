import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { AddWorkflow } from './AddWorkflow.tsx';

const server = servedPage();

const open = async () => {
  server.answers(({ method, path }) =>
    method === 'POST' ? ok({ id: 7 }) : ok(/dept|role|user/i.test(path) ? [] : { value: [] }),
  );
  show(<AddWorkflow beginning={{}} onClose={() => undefined} onAdded={() => undefined} />, { at: '/ticket/workflow' });
  await screen.findAllByRole('radio', { name: /空白流程/ });
};
const cards = () => within(screen.getByRole('radiogroup', { name: '模板' })).queryAllByRole('radio');
const named = () => cards().map((one) => one.closest('label')!.querySelector('strong')!.textContent);
const card = (name: string) => cards()[named().indexOf(name)]!;

test('a new workflow begins from a template chosen by its picture, under any name, or from nothing', async () => {
  await open();
  expect(cards().map((one) => (one as HTMLInputElement).checked)).toEqual([
    true,
    ...cards()
      .slice(1)
      .map(() => false),
  ]);
  // Each picture shows its own states.
  expect(document.querySelectorAll('.flow-picture')).toHaveLength(cards().length);
  const texts = [...card('费用报销').closest('label')!.querySelectorAll('text')].map((one) => one.textContent);
  expect(texts).toContain('财务付款');
  fireEvent.click(card('费用报销'));
  const details = await screen.findByRole('region', { name: '模板“费用报销”' });
  expect(within(details).getByText(/报销明细（发生日期、类别、摘要、金额）/)).toBeDefined();
  const name = screen.getByLabelText('名称') as HTMLInputElement;
  expect([name.value, (screen.getByLabelText('分类') as HTMLInputElement).value]).toEqual(['费用报销', '财务']);
  fireEvent.change(name, { target: { value: '报销单' } });
  fireEvent.click(screen.getByRole('button', { name: '新增流程' }));
  const sent = () => server.asked.find((one) => one.method === 'POST');
  await waitFor(() => expect(sent()).toBeDefined());
  expect(sent()!.body).toMatchObject({ name: '报销单', category: '财务', definition: { name: '费用报销' } });
}, 60_000);

test('a template is found by category, words of its purpose or pinyin, and an empty result says so', async () => {
  await open();
  const find = (value: string) => fireEvent.change(screen.getByLabelText('查找模板'), { target: { value } });
  fireEvent.click(within(screen.getByLabelText('模板类别')).getByText('财务'));
  expect(named()).toEqual(['费用报销', '借款', '采购']);
  find('还清');
  expect(named()).toEqual(['借款']);
  find('cg');
  await waitFor(() => expect(named()).toEqual(['采购']));
  find('宿舍');
  expect(screen.getByText('没有符合“宿舍”的模板，请更换关键字或分类')).toBeDefined();
  fireEvent.click(within(screen.getByLabelText('模板类别')).getByText('全部'));
  expect(named()).toEqual(['宿舍报修']);
}, 60_000);
