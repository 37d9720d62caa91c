import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Activity, useState } from 'react';
import { expect, test } from 'vitest';
import { emptyPage } from '#kernel/web/testing/page.ts';
import RichText from './RichText.tsx';

emptyPage();

const Page = ({ shown, words, disabled = false }: { shown: boolean; words: string; disabled?: boolean }) => (
  <Activity mode={shown ? 'visible' : 'hidden'}>
    <RichText control={{ value: `<p>${words}</p>`, disabled }} label="正文" />
  </Activity>
);
/** Longer than the editor waits before it destroys a hidden editor. */
const aWhile = () => act(() => new Promise((resolve) => setTimeout(resolve, 30)));

test('a text survives while its page is hidden behind another and re-rendered', async () => {
  const view = render(<Page shown words="初稿" />);
  const words = () => view.container.querySelector('.rich-text')?.textContent;
  await waitFor(() => expect(words()).toBe('初稿'));
  view.rerender(<Page shown={false} words="初稿" />);
  await aWhile();
  view.rerender(<Page shown={false} words="改过的稿子" disabled />);
  await aWhile();
  view.rerender(<Page shown words="改过的稿子" />);
  await waitFor(() => expect(words()).toBe('改过的稿子'));
  expect(view.container.textContent).toContain('5 字');
  expect(view.container.querySelector('.rich-text')?.getAttribute('contenteditable')).toBe('true');
});

test('edits from before the page was hidden can be undone afterwards', async () => {
  function Kept({ shown }: { shown: boolean }) {
    const [value, onChange] = useState<unknown>('<p>初稿</p>');
    return (
      <Activity mode={shown ? 'visible' : 'hidden'}>
        <RichText control={{ value, onChange }} label="正文" />
      </Activity>
    );
  }
  const view = render(<Kept shown />);
  const list = () => view.container.querySelector('ol')?.textContent;
  fireEvent.click(screen.getByRole('button', { name: '编号列表' }));
  await waitFor(() => expect(list()).toBe('初稿'));
  view.rerender(<Kept shown={false} />);
  await aWhile();
  view.rerender(<Kept shown />);
  await waitFor(() => expect(list()).toBe('初稿'));
  fireEvent.click(screen.getByRole('button', { name: '撤销' }));
  await waitFor(() => expect(list()).toBeUndefined());
});
