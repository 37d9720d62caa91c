import { render, screen, waitFor } from '@testing-library/react';
import { Drawer, Modal } from 'antd';
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

test('closing a drawer returns the focus to the element that opened it', async () => {
  const { rerender } = render(<Page open={false} />);
  button('打开').focus();
  rerender(<Page open />);
  button('里面').focus();
  rerender(<Page open={false} />);
  await waitFor(() => expect(document.activeElement).toBe(button('打开')));
});

test.each([
  ['window', Modal],
  ['drawer', Drawer],
])(
  'a %s of the library that is removed with its parent returns the focus to the element that opened it',
  async (_name, Layer) => {
    const page = (open: boolean) => (
      <>
        <button type="button">打开</button>
        {open && (
          <Layer open>
            <button type="button">里面</button>
          </Layer>
        )}
      </>
    );
    const { rerender } = render(page(false));
    button('打开').focus();
    rerender(page(true));
    button('里面').focus();
    rerender(page(false));
    await waitFor(() => expect(document.activeElement).toBe(button('打开')));
  },
);

test('if that element is gone, the focus returns to the one before it', async () => {
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

test('a person who moved on to another element keeps the focus there', async () => {
  const { rerender } = render(<Page open={false} />);
  button('打开').focus();
  rerender(<Page open />);
  button('一时的').focus();
  rerender(<Page open={false} />);
  await new Promise((done) => setTimeout(done, 20));
  expect(document.activeElement).toBe(button('一时的'));
});
