import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { mentionedIn, nothingBeside, Opinion, type Beside } from './Opinion.tsx';

const server = servedPage();
const told: { words: string; beside: Beside } = { words: '', beside: nothingBeside };

function Page() {
  const [words, setWords] = useState('');
  const [beside, setBeside] = useState(nothingBeside);
  Object.assign(told, { words, beside });
  return <Opinion value={words} beside={beside} onChange={setWords} onBeside={setBeside} onWait={() => undefined} />;
}

test('an opinion sends the people still mentioned in its text, and its files', async () => {
  const people = [{ id: 5, username: 'song.mingjie', alias: '宋明杰', dept_id: 1, dept_name: '计算机学院' }];
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
  for (const text of ['请 @', '请 @宋']) {
    fireEvent.change(box, { target: { value: text } });
    box.setSelectionRange(text.length, text.length);
    fireEvent.keyUp(box, { key: text.at(-1) });
  }
  fireEvent.click(await screen.findByText('宋明杰（计算机学院）', {}, { timeout: 5000 }));
  await waitFor(() => expect(told.words).toContain('@宋明杰'));
  expect(mentionedIn(told.words, told.beside)).toEqual(['song.mingjie']);
  expect(mentionedIn('请他看', told.beside)).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: '添加附件' }));
  const files = [new File(['x'], '测算.png', { type: 'image/png' })];
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files } });
  await waitFor(() => expect(told.beside.files).toEqual([9]));
  // The file does not displace the person, nor the person the file.
  expect(mentionedIn(told.words, told.beside)).toEqual(['song.mingjie']);
});
