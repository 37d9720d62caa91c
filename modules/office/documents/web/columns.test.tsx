import { expect, test } from 'vitest';
import { cellText } from '#kernel/web/kit/list/rows/cell.tsx';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { DocumentRow } from '../contract/shapes.ts';
import { columns } from './columns.tsx';

emptyPage();

const letter = {
  title: '关于购置设备的请示',
  doc_number: '校发〔2026〕3号',
  level: 0,
  secret_level: 1,
  secret_level_name: '秘密',
  written_date: '2026-11-20',
  news: false,
  on_behalf_of: '',
  unanswered: true,
} as unknown as DocumentRow;

/** Renders a column for a document. */
function shown(key: string, row: DocumentRow): HTMLElement {
  const column = columns.find((one) => one.key === key)!;
  expect([key, column.hidden ?? false]).toEqual([key, false]);
  return show(<>{cellText(column, row)}</>).container;
}

test('a list of documents shows each one’s secrecy and date', () => {
  expect(shown('secret_level_name', letter).textContent).toBe('秘密');
  expect(shown('secret_level_name', { ...letter, secret_level: 0 }).textContent).toBe('—');
  expect(shown('written_date', letter).textContent).toBe('2026-11-20');
});

test('an unanswered request is marked in red in every state, and nothing else is', () => {
  expect(shown('title', letter).querySelector('.ant-tag-error, .ant-tag-red')?.textContent).toBe('未答复');
  expect(shown('title', { ...letter, unanswered: false }).textContent).toBe('关于购置设备的请示');
});
