import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useState } from 'react';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { Detail } from '../contract/shapes.ts';
import { Handling } from './record/Handling.tsx';

emptyPage();

const approve = { code: 'approve', transition_id: 2, transition_name: '同意', task_no: 4, state_id: 2 };
const mine = {
  id: 7,
  title: '',
  version: 3,
  field_list: [],
  choose: [],
  waits: [],
  troubles: [],
  transitions: [approve],
} as unknown as Detail;

function Page() {
  const [taken, setTaken] = useState(false);
  return (
    <Handling ticket={taken ? { ...mine, transitions: [] } : mine} changed={new Set()} onMoved={vi.fn()}>
      {({ notice, actions }) => (
        <>
          {notice}
          {actions}
          <button onClick={() => setTaken(true)}>别人已办理</button>
        </>
      )}
    </Handling>
  );
}

test('an opinion that can no longer be sent stays visible until it is dismissed', async () => {
  show(<Page />);
  fireEvent.change(screen.getByLabelText('意见'), { target: { value: '请尽快处理' } });
  expect(screen.queryByText(/没有提交/)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '别人已办理' }));
  expect(await screen.findByRole('button', { name: '复制 请尽快处理' })).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: '丢弃' }));
  await waitFor(() => expect(screen.queryByText(/没有提交/)).toBeNull());
});
