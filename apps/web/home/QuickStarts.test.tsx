import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { MenuItem } from '#modules/platform/access/contract.ts';
import { menuOf } from '../shell/menu.ts';
import type { Session } from '../shell/session.ts';
import { SessionContext } from '../shell/SessionContext.ts';
import { QuickStarts } from './QuickStarts.tsx';

emptyPage();
const item = (id: number, parent: number | null, name: string, web_path: string): MenuItem => ({
  id,
  parent,
  name,
  web_path,
  component: parent === null ? '' : web_path,
  icon: '',
  visible: true,
  menuPermission: [],
  is_link: false,
  affix: false,
  meta: null,
});

test('two pages with the same name are told apart by their parent, others are shown by name only', () => {
  const menu = menuOf(
    [
      item(1, null, '公文', '/document'),
      item(2, 1, '我的收藏', 'collect'),
      item(3, null, '制度文件', '/folder'),
      item(4, 3, '我的收藏', 'collect'),
      item(5, 3, '文件管理', 'papers'),
    ],
    [],
  );
  show(
    <SessionContext value={{ menu } as Session}>
      <QuickStarts />
    </SessionContext>,
  );
  const names = screen.getAllByRole('link').map((link) => link.textContent?.trim());
  expect(names.toSorted()).toEqual(['公文 · 我的收藏', '制度文件 · 我的收藏', '文件管理'].toSorted());
});
