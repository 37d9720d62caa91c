import type { Found } from '#kernel/web/registry.ts';
import { isExternal } from './menu.ts';
import type { Menu } from './menu.ts';

/** Menu entries whose name or path holds the text. */
export function findInMenu(menu: Menu, text: string): Found[] {
  const wanted = text.trim().toLowerCase();
  return menu.all
    .filter((node) => node.visible && node.component && !node.path.includes(':') && !isExternal(node.path))
    .filter((node) => !wanted || `${node.parent?.name ?? ''}${node.name} ${node.path}`.toLowerCase().includes(wanted))
    .map((node) => ({ key: node.path, title: node.name, hint: node.parent?.name, to: node.path }));
}
