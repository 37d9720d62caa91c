import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { useTakeBack } from './record/useTakeBack.tsx';

const server = servedPage();

const offer = {
  transition_id: null,
  transition_name: '撤回',
  task_no: null,
  on_behalf_of: '',
  state_id: null,
  attribute_type_id: 3,
  field_require_check: false,
  is_accept: false,
  in_add_node: false,
  alert_enable: false,
  alert_text: '',
  suggestion_required: false,
  signature_required: false,
  target: 'none',
  states: [],
  added: [],
  resubmit_mode: null,
};

function Done() {
  const takeBack = useTakeBack();
  return <button onClick={() => void takeBack(7, '已提交')}>提交</button>;
}
const offers = (...codes: string[]) =>
  server.answers(({ method }) =>
    method === 'GET'
      ? ok({ value: codes.map((code) => ({ ...offer, code })) })
      : ok({ id: 7, sn: 'A', ticket_id: 7, act_state: 3 }),
  );

test('the message after an action offers to take it back if the server would allow that', async () => {
  offers('comment', 'retreat');
  show(<Done />);
  fireEvent.click(screen.getByRole('button', { name: '提交' }));
  fireEvent.click(await screen.findByRole('button', { name: /撤\s*回/ }));
  await waitFor(() => expect(server.asked.at(-1)?.path).toBe('/api/tickets/7/retreat/'));
  expect(await screen.findByText('已撤回')).toBeDefined();
});

test('the message after an action that cannot be taken back offers nothing', async () => {
  offers('comment');
  show(<Done />);
  fireEvent.click(screen.getByRole('button', { name: '提交' }));
  expect(await screen.findByText('已提交')).toBeDefined();
  expect(screen.queryByRole('button', { name: /撤\s*回/ })).toBeNull();
});
