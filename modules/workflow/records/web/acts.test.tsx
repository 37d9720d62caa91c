import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { done, idParams, localMoment, name } from '#kernel/contract/shapes.ts';
import { choice, field } from '#kernel/contract/titles.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { useActs, type Acts } from './acts.tsx';

const server = servedPage();
const put = (path: string, body: z.ZodObject) =>
  call({
    method: 'PUT',
    path: `/api/matter/{id}/${path}/`,
    access: signedIn,
    summary: path,
    params: idParams,
    body,
    reply: done,
  });
const decided = put(
  'decide',
  z.object({
    result: choice('结果', { 1: '同意', 2: '驳回' }),
    opinion: name(300).meta(field('意见')),
    due_at: localMoment.optional().meta({ title: '延至' }),
    /** No title: no field. */
    version: z.number(),
  }),
);
const acts: Acts<{ id: number; title: string; version: number }> = {
  decide: {
    label: '决定',
    call: decided,
    initial: () => ({ result: 1 }),
    also: ({ version }) => ({ version }),
    fields: () => ({ due_at: { help: '不填则按申请' } }),
  },
  withdraw: { label: '撤回', call: put('withdraw', z.object({})), confirm: () => '可以重新提出' },
  end: { label: '终止', call: put('end', z.object({})), danger: true },
};
function Bar({ can }: { can: string[] }) {
  const { buttons, drawer } = useActs('matter', acts);
  return (
    <>
      {buttons({ id: 7, title: '一事', version: 3 }, can, { first: 'decide' })}
      {drawer}
    </>
  );
}

test('the acts that the page shows are those that the server offers, and no others', () => {
  show(<Bar can={['decide', 'nothing']} />);
  expect(screen.getAllByRole('button').map((one) => one.textContent)).toEqual(['决定']);
});

test('an act opens the form of its call: its titles, help and inputs come from the body, and what no field shows is sent besides', async () => {
  server.answers(() => ok({ id: 7 }));
  show(<Bar can={['decide']} />);
  fireEvent.click(screen.getByRole('button', { name: '决定' }));
  await screen.findByText('决定：一事');
  expect(screen.getByLabelText('延至').getAttribute('placeholder')).toBe('年-月-日 时:分');
  expect(screen.getByText('不填则按申请')).toBeTruthy();
  expect(screen.getByLabelText('意见').tagName).toBe('TEXTAREA');
  expect(screen.queryByLabelText('version')).toBeNull();
  fireEvent.change(screen.getByLabelText('意见'), { target: { value: '按期办理' } });
  fireEvent.click(screen.getAllByRole('button', { name: '决定' }).at(-1)!);
  await waitFor(() => expect(server.asked.length).toBeGreaterThan(0));
  const sent = server.asked.at(-1)!;
  expect(sent.path).toContain('/api/matter/7/decide/');
  expect(sent.body).toEqual({ result: 1, opinion: '按期办理', version: 3 });
});

test('an act without a field asks once and is sent', async () => {
  server.answers(() => ok({ id: 7 }));
  show(<Bar can={['withdraw']} />);
  fireEvent.click(screen.getByRole('button', { name: '撤回' }));
  expect((await screen.findAllByText('可以重新提出')).length).toBeGreaterThan(0);
  expect(screen.getAllByText('撤回“一事”').length).toBeGreaterThan(0);
  fireEvent.click(screen.getAllByRole('button', { name: '撤回' }).at(-1)!);
  await waitFor(() => expect(server.asked.at(-1)?.path).toContain('/api/matter/7/withdraw/'));
});
