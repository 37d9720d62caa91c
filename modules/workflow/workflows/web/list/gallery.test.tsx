import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { AddWorkflow } from './AddWorkflow.tsx';

const server = servedPage();

test('a new workflow begins with a template that is chosen by its picture, or with nothing', async () => {
  server.answers(({ method }) => (method === 'POST' ? ok({ id: 7 }) : ok({ value: [] })));
  show(<AddWorkflow beginning={{}} onClose={() => undefined} onAdded={() => undefined} />, { at: '/ticket/workflow' });
  const choices = await screen.findAllByRole('radio');
  expect(choices.map((one) => (one as HTMLInputElement).checked)).toEqual([true, ...choices.slice(1).map(() => false)]);
  // Each shows its own states.
  expect(document.querySelectorAll('.flow-picture')).toHaveLength(choices.length);
  const expense = choices.find((one) => one.closest('label')?.textContent?.includes('费用报销'))!;
  expect([...expense.closest('label')!.querySelectorAll('text')].map((one) => one.textContent)).toContain('财务付款');
  fireEvent.click(expense);
  fireEvent.change(screen.getByLabelText('名称'), { target: { value: '报销单' } });
  fireEvent.click(screen.getByRole('button', { name: '新增流程' }));
  const sent = () => server.asked.find((one) => one.method === 'POST');
  await waitFor(() => expect(sent()).toBeDefined());
  expect(sent()!.body).toMatchObject({ name: '报销单', definition: { name: '费用报销' } });
}, 60_000);
