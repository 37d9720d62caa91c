import { render, screen, waitFor } from '@testing-library/react';
import { createPortal } from 'react-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { keepFocusBack } from './focus-back.ts';

emptyPage();

let end: () => void;
beforeEach(() => (end = keepFocusBack()));
afterEach(() => end());

function Page({ open, menu = true }: { open: boolean; menu?: boolean }) {
  const above = (
    <div role="dialog">
      <button type="button">里面</button>
    </div>
  );
  return (
    <>
      <button type="button">打开</button>
      {menu && <button type="button">一时的</button>}
      {open && createPortal(above, document.body)}
    </>
  );
}
const button = (name: string) => screen.getByRole('button', { name });

test('when a drawer goes, the focus is on what opened it again', async () => {
  const { rerender } = render(<Page open={false} />);
  button('打开').focus();
  rerender(<Page open />);
  button('里面').focus();
  rerender(<Page open={false} />);
  await waitFor(() => expect(document.activeElement).toBe(button('打开')));
});

test('where what opened it is gone, the focus is on what had it before', async () => {
  const { rerender } = render(<Page open={false} />);
  button('打开').focus();
  button('一时的').focus();
  rerender(<Page open />);
  button('里面').focus();
  rerender(<Page open={false} menu={false} />);
  await waitFor(() => expect(document.activeElement).toBe(button('打开')));
});

test('while a window stands above the page, the focus is not taken from under it', async () => {
  const question = document.body.appendChild(document.createElement('div'));
  question.className = 'ant-modal-wrap';
  const { rerender } = render(<Page open={false} />);
  button('打开').focus();
  rerender(<Page open />);
  button('里面').focus();
  rerender(<Page open={false} />);
  await new Promise((done) => setTimeout(done, 20));
  expect(document.activeElement).toBe(document.body);
  question.remove();
});

test('whoever has gone on to something else is left there', async () => {
  const { rerender } = render(<Page open={false} />);
  button('打开').focus();
  rerender(<Page open />);
  button('一时的').focus();
  rerender(<Page open={false} />);
  await new Promise((done) => setTimeout(done, 20));
  expect(document.activeElement).toBe(button('一时的'));
});
