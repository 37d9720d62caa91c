import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { nothingBeside, type Beside } from '../actions/asking.ts';
import { Opinion } from './Opinion.tsx';

const server = servedPage();
const told: { words: string; beside: Beside } = { words: '', beside: nothingBeside };

const mentioned = () => told.beside.mentions;

function Page() {
  const [words, setWords] = useState('');
  const [beside, setBeside] = useState(nothingBeside);
  Object.assign(told, { words, beside });
  const onBeside = (part: Partial<Beside>) => setBeside((before) => ({ ...before, ...part }));
  return <Opinion value={words} beside={beside} onChange={setWords} onBeside={onBeside} />;
}

test('an opinion sends the people chosen after @, two of one name too, shows them so that they can be removed, and sends its files', async () => {
  const people = [
    { id: 5, username: 'song.mingjie', alias: '宋明杰', dept_id: 1, dept_name: '计算机学院' },
    { id: 6, username: 'song.mj', alias: '宋明杰', dept_id: 2, dept_name: '图书馆' },
    { id: 7, username: 'song.ming', alias: '宋明', dept_id: 2, dept_name: '图书馆' },
  ];
  const card = {
    id: 9,
    name: '测算.png',
    ext: 'png',
    mime: 'image/png',
    size: 1,
    sha256: '0',
    url: '/9',
    thumb_url: null,
  };
  server.answers(({ method }) => ok(method === 'GET' ? people : card));
  show(<Page />);
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: '意见' });
  const mention = async (before: string, name: string) => {
    for (const text of [`${before}@`, `${before}@宋`]) {
      fireEvent.change(box, { target: { value: text } });
      box.setSelectionRange(text.length, text.length);
      fireEvent.keyUp(box, { key: text.at(-1) });
    }
    const menu = await waitFor(() => document.querySelector<HTMLElement>('.ant-mentions-dropdown')!);
    fireEvent.click(await within(menu).findByText(name, {}, { timeout: 5000 }));
    await waitFor(() => expect(told.words.length).toBeGreaterThan(before.length + 2));
  };
  await mention('请 ', '宋明杰（计算机学院）');
  expect(told.words).toContain('@宋明杰');
  expect(mentioned()).toEqual(['song.mingjie']);
  await mention(told.words, '宋明杰（图书馆）');
  expect(mentioned()).toEqual(['song.mingjie', 'song.mj']);
  const shown = screen.getByRole('combobox', { name: '提到' });
  fireEvent.keyDown(shown, { key: 'Backspace', keyCode: 8 });
  expect(mentioned()).toEqual(['song.mingjie']);
  fireEvent.click(screen.getByRole('button', { name: '添加附件' }));
  const files = [new File(['x'], '测算.png', { type: 'image/png' })];
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files } });
  await waitFor(() => expect(told.beside.files).toEqual([9]));
  // The file does not displace the person, nor the person the file.
  expect(mentioned()).toEqual(['song.mingjie']);
});
