import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { Timeline } from './Timeline.tsx';

const server = servedPage();
const end = { state_id: 8, state_name: '办结', type_id: 2, is_current: true, is_passed: true, waiting_for: [] };
const ticketCalled = (state_name: string) => ({
  id: 3,
  act_state_id: 4,
  field_list: [],
  state: { state_id: 8, state_name, state_label: {} },
});

test('a finished ticket says so, and one whose record is still open says what that waits for', async () => {
  server.answers(({ path }) => ok({ value: path.includes('flowsteps') ? [end] : [], total: 0, page: 1, per_page: 20 }));
  const { unmount } = show(<Timeline ticket={ticketCalled('办结')} until={null} edited={{}} />);
  expect((await screen.findByRole('region', { name: '流转记录' })).textContent).toContain('办结已办结');
  unmount();
  show(<Timeline ticket={ticketCalled('待答复')} until={null} edited={{}} />);
  const way = await screen.findByRole('region', { name: '流转记录' });
  expect([way.textContent?.includes('待答复'), way.textContent?.includes('办结')]).toEqual([true, false]);
});

test('the coming steps are those that the server previews from the form as it is typed now', async () => {
  const step = (state_name: string, state_id: number) => ({ state_name, state_id });
  server.answers(({ path, body }) => {
    if (!path.includes('/ahead/')) return ok({ value: [], total: 0, page: 1, per_page: 20 });
    const { amount } = (body as { values: { amount?: number } }).values;
    const more = (amount ?? 0) > 5000;
    return ok({
      steps: [...(more ? [step('分管领导审批', 4)] : []), step('财务付款', 5)],
      stop: more ? '请选择办理人' : '',
    });
  });
  const ticket = { ...ticketCalled('部门审批'), act_state_id: 1 };
  const Typing = () => {
    const [edited, setEdited] = useState({});
    return (
      <>
        <button onClick={() => setEdited({ amount: 6000 })}>填写金额</button>
        <Timeline ticket={ticket} until={null} edited={edited} />
      </>
    );
  };
  show(<Typing />);
  await screen.findByText('之后：财务付款');
  fireEvent.click(screen.getByRole('button', { name: '填写金额' }));
  await screen.findByText('之后：分管领导审批 → 财务付款 → 再往后暂不能预计（请选择办理人）');
});
