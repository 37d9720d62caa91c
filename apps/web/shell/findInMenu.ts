import type { Spelling } from '#kernel/web/kit/find/useSpelling.ts';
import type { Found } from '#kernel/web/registry.ts';
import { isExternal } from './menu.ts';
import type { Menu } from './menu.ts';

/** Menu entries whose name or path contains the text, or whose name is spelled by it. */
export function findInMenu(menu: Menu, text: string, spelt: Spelling = () => false): Found[] {
  const wanted = text.trim().toLowerCase();
  return menu.all
    .filter((node) => node.visible && node.component && !node.path.includes(':') && !isExternal(node.path))
    .filter(
      (node) =>
        !wanted ||
        `${node.parent?.name ?? ''}${node.name} ${node.path}`.toLowerCase().includes(wanted) ||
        spelt(node.name, wanted),
    )
    .map((node) => ({ key: node.path, title: node.name, hint: node.parent?.name, to: node.path }));
}

/** Keeps one result for each destination, a record before the ticket that handles it. */
export function onePerPlace(found: readonly Found[]): Found[] {
  const places = new Map<string, Found>();
  for (const one of found) {
    const before = places.get(one.to);
    if (!before || (before.behind && !one.behind)) places.set(one.to, one);
  }
  return [...places.values()];
}
