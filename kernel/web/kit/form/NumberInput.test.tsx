import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { servedPage } from '../../testing/page.ts';
import { show } from '../../testing/show.tsx';
import { NumberInput } from './NumberInput.tsx';

servedPage();

function Form({ told }: { told: (value: unknown) => void }) {
  const [value, setValue] = useState<number | null>(7);
  return (
    <label>
      天数
      <NumberInput
        value={value}
        onChange={(next) => {
          told(next);
          setValue(next);
        }}
      />
    </label>
  );
}
const field = () => screen.getByRole<HTMLInputElement>('spinbutton');
function enter(text: string) {
  fireEvent.focus(field());
  fireEvent.change(field(), { target: { value: text } });
  fireEvent.blur(field());
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
    ['80%', 80],
  ] as const) {
    enter(text);
    expect([text, field().value, told.mock.lastCall]).toEqual([text, String(number), [number]]);
  }
  enter('');
  expect([field().value, told.mock.lastCall]).toEqual(['', [null]]);
});

test('a text that is no number, or could be two, keeps the number before, and the field says so until it is entered again', async () => {
  const told = vi.fn();
  show(<Form told={told} />);
  enter('二十');
  expect(field().value).toBe('7');
  expect((await screen.findByRole('tooltip')).textContent).toBe('“二十”不是数字，没有填入');
  fireEvent.focus(field());
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
  enter('12,00');
  expect((await screen.findByRole('tooltip')).textContent).toContain('“12,00”中的逗号或空格没有按三位一节');
  expect(told).not.toHaveBeenCalledWith(1200);
});

test('Enter in a field whose text is no number does not send the form with the number before', () => {
  show(<Form told={vi.fn()} />);
  fireEvent.focus(field());
  fireEvent.change(field(), { target: { value: '二十' } });
  expect(fireEvent.keyDown(field(), { key: 'Enter' })).toBe(false);
  expect(field().value).toBe('7');
  expect(fireEvent.keyDown(field(), { key: 'Enter' })).toBe(true);
});
