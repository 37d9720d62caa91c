import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { emptyPage } from '../../testing/page.ts';
import { show } from '../../testing/show.tsx';
import { CopyText } from './CopyText.tsx';

emptyPage();

test('a text to copy has a button that says so, and confirms the copy', async () => {
  const kept: string[] = [];
  const clipboard = { writeText: (text: string) => Promise.resolve(void kept.push(text)) };
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as object, { clipboard }));
  show(<CopyText text="https://office/feed/1" button="复制地址" />);
  fireEvent.click(screen.getByRole('button', { name: '复制地址' }));
  expect(await screen.findByRole('button', { name: '已复制' })).toBeDefined();
  expect(kept).toEqual(['https://office/feed/1']);
  vi.unstubAllGlobals();
});
