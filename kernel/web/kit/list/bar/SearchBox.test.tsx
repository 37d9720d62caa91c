import { act, fireEvent } from '@testing-library/react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyPage } from '../../../testing/page.ts';
import { show } from '../../../testing/show.tsx';
import { keepCompositionKeys } from '../../composing.ts';
import { SearchBox } from './SearchBox.tsx';

emptyPage();
let release: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  release = keepCompositionKeys(window);
});
afterEach(() => {
  release();
  vi.useRealTimers();
});

/** The box, its searches, and an address that follows when the test says so. */
function open() {
  const searched: string[] = [];
  const at = (value: string) => <SearchBox value={value} onSearch={(text) => void searched.push(text)} />;
  const { container } = show(<Following at={at} />);
  const input = container.querySelector('input')!;
  return {
    searched,
    input,
    type: (value: string) => fireEvent.change(input, { target: { value } }),
    follow: (value: string) => act(() => told(value)),
  };
}
let told: (value: string) => void;
function Following({ at }: { at: (value: string) => ReactNode }) {
  const [value, setValue] = useState('');
  useEffect(() => {
    told = setValue;
  }, []);
  return at(value);
}
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test('every typed letter stays, however slow the typing and however late the address follows', () => {
  const { searched, input, type, follow } = open();
  const number = 'HY20261128';
  for (let length = 1; length <= number.length; length += 1) {
    type(number.slice(0, length));
    pass(300);
    // The address of the previous search arrives while more is being typed.
    if (length > 1) follow(number.slice(0, length - 1));
    expect(input.value).toBe(number.slice(0, length));
  }
  follow(number);
  expect(input.value).toBe(number);
  expect(searched).toEqual(Array.from(number, (_letter, at) => number.slice(0, at + 1)));
});

test('typed text is kept while another address arrives, and follows the address once it was searched for', () => {
  const { searched, input, type, follow } = open();
  type('楼');
  follow('别的');
  expect(input.value).toBe('楼');
  pass(300);
  follow('楼');
  expect(searched).toEqual(['楼']);
  // All filters are cleared, or the person goes back.
  follow('');
  expect(input.value).toBe('');
  follow('别的');
  expect(input.value).toBe('别的');
  // A blank at the end belongs to the text being typed, although it is not searched for.
  type('别的 ');
  pass(300);
  expect(input.value).toBe('别的 ');
});

test('input method text is searched once it is composed, and the Enter that ends composing searches nothing', () => {
  const { searched, input, type } = open();
  fireEvent.compositionStart(input);
  for (const text of ['l', 'lo', 'lou']) {
    type(text);
    pass(10_000);
  }
  fireEvent.keyDown(input, { key: 'Enter', keyCode: 229, isComposing: true });
  fireEvent.keyDown(input, { key: 'Enter', keyCode: 13, isComposing: true });
  pass(10_000);
  expect(searched).toEqual([]);
  type('楼');
  fireEvent.compositionEnd(input);
  // Safari reports the key after the end.
  fireEvent.keyDown(input, { key: 'Enter', keyCode: 229 });
  pass(0);
  expect(searched).toEqual([]);
  pass(300);
  expect(searched).toEqual(['楼']);
  fireEvent.keyUp(input, { key: 'Enter', keyCode: 229 });
  type('楼道');
  fireEvent.keyDown(input, { key: 'Enter', keyCode: 13 });
  pass(0);
  expect(searched).toEqual(['楼', '楼道']);
});
