import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Drawer, Input, Select } from 'antd';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyPage } from '../testing/page.ts';
import { show } from '../testing/show.tsx';
import { keepCompositionKeys } from './composing.ts';

emptyPage();
let release: () => void;
beforeEach(() => {
  release = keepCompositionKeys(window);
});
afterEach(() => release());

/** The events that browsers send during a composition, and that Safari sends after its end. */
const composing = [{ isComposing: true, keyCode: 13 }, { keyCode: 229 }];

test('tags, comments and dialogs ignore keys of an input method while it composes', async () => {
  const [tagged, sent, closed, heard] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
  window.addEventListener('keydown', heard);
  show(
    <Drawer open onClose={closed} title="一张照片">
      <Select mode="tags" open={false} aria-label="标签" onChange={tagged} />
      <Input aria-label="评论" onPressEnter={sent} />
    </Drawer>,
  );
  const tags = await screen.findByLabelText('标签');
  const comment = screen.getByLabelText('评论');
  fireEvent.change(tags, { target: { value: '校园' } });
  const press = (key: string, more: object) => {
    for (const target of [tags, comment]) {
      fireEvent.keyDown(target, { key, ...more });
      fireEvent.keyUp(target, { key, ...more });
    }
  };
  for (const way of composing) for (const key of ['Enter', 'Escape', 'ArrowDown']) press(key, way);
  for (const called of [tagged, sent, closed, heard]) expect(called).not.toHaveBeenCalled();
  press('Enter', { keyCode: 13 });
  await waitFor(() => expect(tagged).toHaveBeenCalled());
  expect(sent).toHaveBeenCalledOnce();
  press('Escape', { keyCode: 27 });
  await waitFor(() => expect(closed).toHaveBeenCalled());
  window.removeEventListener('keydown', heard);
});

test('letters, and all keys of a rich text editor, are not intercepted', () => {
  const heard = vi.fn();
  show(<div data-testid="rich" contentEditable suppressContentEditableWarning onKeyDown={heard} />);
  const rich = screen.getByTestId('rich');
  Object.defineProperty(rich, 'isContentEditable', { value: true });
  fireEvent.keyDown(rich, { key: 'Enter', keyCode: 229 });
  fireEvent.keyDown(rich, { key: 'a', isComposing: true });
  expect(heard).toHaveBeenCalledTimes(2);
});
