import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { servedPage } from '../../testing/page.ts';
import { show } from '../../testing/show.tsx';
import { NumberInput, type NumberInputProps } from './NumberInput.tsx';
import { HoldContext, useHeld } from './parts/waiting.ts';

servedPage();

function Form({ told, ...props }: { told: (value: unknown) => void } & NumberInputProps) {
  const [value, setValue] = useState<number | null>(7);
  const { held, hold } = useHeld();
  return (
    <HoldContext value={hold}>
      <label>
        天数
        <NumberInput
          {...props}
          value={value}
          onChange={(next) => {
            told(next);
            setValue(next);
          }}
        />
      </label>
      <button type="button" disabled={held.length > 0}>
        提交
      </button>
      <button type="button" onClick={() => setValue(30)}>
        载入
      </button>
      <button type="button" onClick={() => setValue(null)}>
        清空
      </button>
    </HoldContext>
  );
}
const sendable = () => !screen.getByRole<HTMLButtonElement>('button', { name: '提交' }).disabled;
const field = () => screen.getByRole<HTMLInputElement>('spinbutton');
function enter(text: string) {
  fireEvent.focus(field());
  fireEvent.change(field(), { target: { value: text } });
  fireEvent.blur(field());
}
/** Types key by key, as the browser reports it. */
function press(text: string) {
  fireEvent.focus(field());
  for (let end = 1; end <= text.length; end += 1) {
    fireEvent.keyDown(field(), { key: text[end - 1]! });
    fireEvent.change(field(), { target: { value: text.slice(0, end) } });
    fireEvent.keyUp(field(), { key: text[end - 1]! });
  }
}

test('a number may be typed in full-width digits, with separators and with its unit', () => {
  const told = vi.fn();
  show(<Form told={told} />);
  for (const [text, number] of [
    ['１２', 12],
    ['３。５', 3.5],
    ['1,234', 1234],
    ['－2', -2],
    ['15 天', 15],
    ['１６天', 16],
    ['5个工作日', 5],
    ['10kg', 10],
    ['80%', 80],
    ['90％', 90],
  ] as const) {
    enter(text);
    expect([text, field().value, told.mock.lastCall]).toEqual([text, String(number), [number]]);
  }
  enter('');
  expect([field().value, told.mock.lastCall]).toEqual(['', [null]]);
});

test.each(['1万', '1.5亿', '3千', '10k', '1e3', '1e', '20多', '20左右', '2小时半', '1个半月'])(
  '“%s” is asked about instead of being read as its digits',
  async (text) => {
    const told = vi.fn();
    show(<Form told={told} />);
    enter(text);
    expect([field().value, told.mock.calls]).toEqual(['7', []]);
    expect((await screen.findByRole('tooltip')).textContent).toBe(`“${text}”不是数字，没有填入`);
  },
);

test('a text that is no number keeps the form from being sent while it is typed, without a complaint yet', () => {
  show(<Form told={vi.fn()} />);
  fireEvent.focus(field());
  fireEvent.change(field(), { target: { value: '3-5' } });
  expect([sendable(), field().getAttribute('aria-invalid')]).toEqual([false, null]);
  fireEvent.change(field(), { target: { value: '35' } });
  expect(sendable()).toBe(true);
});

test('a number that the field itself rounds when it is left does not answer the complaint', () => {
  const told = vi.fn();
  show(<Form told={told} max={5} />);
  enter('二十');
  expect([told.mock.lastCall, sendable()]).toEqual([[5], false]);
});

test('the number that stands there, typed once more over itself, is the answer to the complaint', () => {
  show(<Form told={vi.fn()} />);
  enter('二十');
  expect([field().value, sendable()]).toEqual(['7', false]);
  // All of it was selected, so that the text does not change.
  fireEvent(field(), new Event('input', { bubbles: true }));
  expect([field().value, sendable()]).toEqual(['7', true]);
});

test('a text that is no number, or could be two, keeps the number before, and the field says so until something is typed', async () => {
  const told = vi.fn();
  show(<Form told={told} />);
  enter('二十');
  expect(field().value).toBe('7');
  const said = await screen.findByRole('tooltip');
  expect(said.textContent).toBe('“二十”不是数字，没有填入');
  // A screen reader says it at the latest when the person returns to the field.
  fireEvent.focus(field());
  expect([field().getAttribute('aria-invalid'), field().getAttribute('aria-describedby')]).toEqual(['true', said.id]);
  fireEvent.change(field(), { target: { value: '8' } });
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
  expect(field().getAttribute('aria-invalid')).toBeNull();
  enter('12,00');
  expect((await screen.findByRole('tooltip')).textContent).toContain('“12,00”中的逗号或空格没有按三位一节');
  expect(told).not.toHaveBeenCalledWith(1200);
});

test.each(['12,00', '3-5', '2026-03-01', '1万', '3.5.1'])(
  '“%s” typed key by key leaves the number before, not its first digits',
  (text) => {
    const told = vi.fn();
    show(<Form told={told} precision={0} />);
    press(text);
    // The text is not touched while somebody types.
    expect(field().value).toBe(text);
    fireEvent.blur(field());
    expect([field().value, told.mock.lastCall]).toEqual(['7', [7]]);
  },
);

test('a number with separators is typed key by key, and is the one that stays if the next text is none', () => {
  const told = vi.fn();
  show(<Form told={told} />);
  press('1,234');
  fireEvent.blur(field());
  expect([field().value, told.mock.lastCall]).toEqual(['1234', [1234]]);
  press('3-5');
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect([field().value, told.mock.lastCall]).toEqual(['1234', [1234]]);
});

test('a form is not sent after a text that is no number until something is typed or the arrows are used', () => {
  show(<Form told={vi.fn()} />);
  enter('二十');
  expect(sendable()).toBe(false);
  fireEvent.focus(field());
  fireEvent.blur(field());
  expect(sendable()).toBe(false);
  enter('8');
  expect([field().value, sendable()]).toEqual(['8', true]);
});

test('a number that is set from elsewhere ends the question about the text before it', () => {
  show(<Form told={vi.fn()} />);
  enter('二十');
  fireEvent.click(screen.getByRole('button', { name: '载入' }));
  expect([field().value, field().getAttribute('aria-invalid'), sendable()]).toEqual(['30', null, true]);
  enter('3-5');
  expect(field().value).toBe('30');
});

test('a field that is emptied from elsewhere, or gets back the number typed before, ends the question too', () => {
  show(<Form told={vi.fn()} />);
  const shown = () => [field().value, field().getAttribute('aria-invalid'), sendable()];
  enter('二十');
  fireEvent.click(screen.getByRole('button', { name: '清空' }));
  expect(shown()).toEqual(['', null, true]);
  enter('30');
  fireEvent.click(screen.getByRole('button', { name: '清空' }));
  enter('二十');
  fireEvent.click(screen.getByRole('button', { name: '载入' }));
  expect(shown()).toEqual(['30', null, true]);
});

test('an arrow key counts on from the number before, and what was typed is forgotten', () => {
  show(<Form told={vi.fn()} />);
  press('二十');
  fireEvent.keyDown(field(), { key: 'ArrowUp' });
  fireEvent.keyUp(field(), { key: 'ArrowUp' });
  expect(field().value).toBe('8');
  fireEvent.blur(field());
  expect([field().value, field().getAttribute('aria-invalid'), sendable()]).toEqual(['8', null, true]);
});

test('Enter in a field whose text is no number does not send the form with the number before', () => {
  show(<Form told={vi.fn()} />);
  fireEvent.focus(field());
  fireEvent.change(field(), { target: { value: '二十' } });
  expect(fireEvent.keyDown(field(), { key: 'Enter' })).toBe(false);
  expect(field().value).toBe('7');
  expect(fireEvent.keyDown(field(), { key: 'Enter' })).toBe(true);
});
