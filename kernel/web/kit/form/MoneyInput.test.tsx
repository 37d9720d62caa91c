import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { servedPage } from '../../testing/page.ts';
import { show } from '../../testing/show.tsx';
import { MoneyInput } from './MoneyInput.tsx';

servedPage();

function Form({ told, begins }: { told: (value: unknown) => void; begins?: number | undefined }) {
  const [value, setValue] = useState<unknown>(begins);
  return (
    <label>
      金额
      <MoneyInput
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

test('an amount field shows separators and two decimals, and returns a number', () => {
  const told = vi.fn();
  show(<Form told={told} begins={1234567.8} />);
  expect(field().value).toBe('1,234,567.80');
  enter('9876.5');
  expect([field().value, told.mock.lastCall]).toEqual(['9,876.50', [9876.5]]);
  enter('¥1，234.5元');
  expect([field().value, told.mock.lastCall]).toEqual(['1,234.50', [1234.5]]);
  enter('0.125');
  expect(told.mock.lastCall).toEqual([0.13]);
  enter('');
  expect([field().value, told.mock.lastCall]).toEqual(['', [undefined]]);
});

test('an amount is not reformatted while it is typed, and a text that is no amount is discarded', () => {
  const told = vi.fn();
  show(<Form told={told} begins={5} />);
  fireEvent.focus(field());
  fireEvent.keyDown(field(), { key: '5' });
  fireEvent.change(field(), { target: { value: '12345' } });
  expect(field().value).toBe('12345');
  fireEvent.blur(field());
  enter('一千');
  expect([field().value, told.mock.lastCall]).toEqual(['12,345.00', [12345]]);
});

test('digits may be added between the separators that an amount is shown with', () => {
  const told = vi.fn();
  show(<Form told={told} begins={12345} />);
  expect(field().value).toBe('12,345.00');
  enter('12,3456.00');
  expect([field().value, told.mock.lastCall]).toEqual(['123,456.00', [123456]]);
});

test.each(['1,00', '1234,5', '12，34', '1,00元'])('“%s” could be two amounts and is asked about', async (text) => {
  const told = vi.fn();
  show(<Form told={told} begins={5} />);
  enter(text);
  expect([field().value, told.mock.calls]).toEqual(['5.00', []]);
  expect((await screen.findByRole('tooltip')).textContent).toContain(`“${text}”中的逗号看不出是不是小数点`);
});

test('a text that is no amount leaves an empty field empty, also if it is typed key by key', () => {
  const told = vi.fn();
  show(<Form told={told} />);
  enter('一千');
  expect(field().value).toBe('');
  fireEvent.focus(field());
  for (const text of ['1', '1,', '1,0', '1,00']) {
    fireEvent.keyDown(field(), { key: text.at(-1)! });
    fireEvent.change(field(), { target: { value: text } });
    expect(field().value).toBe(text);
    fireEvent.keyUp(field(), { key: text.at(-1)! });
  }
  fireEvent.blur(field());
  expect([field().value, told.mock.lastCall]).toEqual(['', [undefined]]);
});
