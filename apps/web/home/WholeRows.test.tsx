import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { rowsWithin, WholeRows } from './WholeRows.tsx';

emptyPage();

test('only whole rows are shown, with room below for the line about the rest', () => {
  expect(rowsWithin([40, 80, 120], 120, 28)).toBe(3);
  expect(rowsWithin([40, 80, 120], 119, 28)).toBe(2);
  expect(rowsWithin([40, 80, 120], 100, 28)).toBe(1);
  expect(rowsWithin([], 100, 28)).toBe(0);
});

test('a card says how many rows do not fit, and shows all of them on request', () => {
  // jsdom computes no layout: each row is 40 pixels high, in a card of 100.
  const place = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const at = [...(this.parentElement?.children ?? [])].indexOf(this);
    return new DOMRect(0, this.tagName === 'LI' ? at * 40 : 0, 100, 40);
  });
  render(
    <section style={{ maxHeight: '100px' }}>
      <WholeRows>
        <ul>
          {['一', '二', '三', '四'].map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </WholeRows>
    </section>,
  );
  expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual(['一']);
  fireEvent.click(screen.getByRole('button', { name: '还有 3 项' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(4);
  fireEvent.click(screen.getByRole('button', { name: '收起' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  place.mockRestore();
});
