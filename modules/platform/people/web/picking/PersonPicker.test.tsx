import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { PersonPicker } from './PersonPicker.tsx';

const server = servedPage();
const card = (id: number, username: string, alias: string) => ({
  id,
  username,
  alias,
  dept_id: 1,
  dept_name: '图书馆',
});
const [song, zhou, qian] = [card(5, 'song', '宋明杰'), card(6, 'zhou', '周远'), card(7, 'qian', '钱多')];
const answer = () =>
  server.answers(({ query }) => {
    const among = query.get('usernames')?.split(',') ?? query.get('ids')?.split(',').map(Number);
    if (among)
      return ok([song, zhou, qian].filter((one) => [one.id, one.username].some((key) => among.includes(key as never))));
    return ok(query.get('search_value') === '周' ? [zhou] : [qian]);
  });

test('a person of whom only the user name is kept is shown by name, also while another is searched for and chosen', async () => {
  answer();
  function Page() {
    const [value, setValue] = useState<string[]>(['song', 'qian']);
    return <PersonPicker multiple aria-label="人员" value={value} onChange={setValue} />;
  }
  show(<Page />);
  expect(await screen.findByText('宋明杰（图书馆）')).toBeDefined();
  expect(server.asked.flatMap(({ query }) => query.get('usernames') ?? [])).toEqual(['song']);
  fireEvent.change(screen.getByRole('combobox', { name: '人员' }), { target: { value: '周' } });
  fireEvent.click(await screen.findByTitle('周远（图书馆）'));
  const shown = () => [...document.querySelectorAll('.ant-select-selection-item')].map((one) => one.textContent);
  await waitFor(() => expect(shown()).toEqual(['宋明杰（图书馆）', '钱多（图书馆）', '周远（图书馆）']));
});

test('a person of whom only the id is kept is shown by name, and nobody is asked for who is known', async () => {
  answer();
  show(<PersonPicker by="id" multiple aria-label="人员" known={[song]} value={[5, 6]} />);
  expect(await screen.findByText('周远（图书馆）')).toBeDefined();
  expect(screen.getByText('宋明杰（图书馆）')).toBeDefined();
  expect(server.asked.flatMap(({ query }) => query.get('ids') ?? [])).toEqual(['6']);
});
