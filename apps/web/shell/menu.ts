import type { PermissionCode } from '#kernel/contract/call.ts';
import { toTree, type Branch } from '#kernel/web/tree.ts';
import type { MenuItem } from '#modules/platform/access/contract.ts';

export interface MenuNode extends Omit<MenuItem, 'parent'> {
  parent: MenuNode | null;
  /** The full path: that of the parents plus its own; may contain a parameter after a colon. */
  path: string;
  children: MenuNode[];
}

export interface Menu {
  roots: MenuNode[];
  all: MenuNode[];
}

/** Route role of entries that name none. */
export const defaultRole = 'reception';

/** The menu a person sees: entries whose roles match, nested by parent, each with its full path. */
export function menuOf(items: readonly MenuItem[], roles: readonly string[], routesRole = defaultRole): Menu {
  const held = new Set([...roles, defaultRole]);
  const mine = items.filter((item) => (item.roles?.length ? item.roles : [routesRole]).some((role) => held.has(role)));
  const all: MenuNode[] = [];
  const grow = (item: Branch<MenuItem>, parent: MenuNode | null): MenuNode => {
    const node: MenuNode = { ...item, parent, path: fullPath(parent?.path ?? '', item.web_path), children: [] };
    all.push(node);
    node.children = item.children.map((child) => grow(child, node));
    return node;
  };
  const known = new Set(mine.map((item) => item.id));
  const tree = toTree(mine, { parentId: 'parent' });
  // An entry without a permitted parent would otherwise rise to the first level.
  const roots = tree.filter((item) => item.parent === null || known.has(item.parent) || item.parent === 0);
  return { roots: roots.map((item) => grow(item, null)), all };
}

function fullPath(parent: string, own: string): string {
  if (isExternal(own) || own.startsWith('/')) return own;
  return `${parent.replace(/\/$/, '')}/${own}`;
}

/** True if an address leads out of the application. */
export function isExternal(path: string): boolean {
  return /^(https?:|mailto:|tel:)/i.test(path);
}

export function visibleChildren(node: MenuNode): MenuNode[] {
  return node.children.filter((child) => child.visible);
}

/** The children that the second sidebar shows: a child hidden by its meta is reached through its parent, and opens no sidebar. */
export const shownChildren = (node: MenuNode): MenuNode[] =>
  visibleChildren(node).filter((child) => child.meta?.show !== false);

/** The entry for a path: the same path, else the entry whose text before the colon is a prefix of the path. */
export function entryFor(menu: Menu, path: string): MenuNode | undefined {
  const exact = menu.all.find((node) => node.path === path);
  if (exact) return exact;
  return menu.all
    .filter((node) => node.path.includes(':') && path.startsWith(node.path.slice(0, node.path.indexOf(':'))))
    .sort((a, b) => b.path.length - a.path.length)[0];
}

/** The first-level entry of a path, also if the path itself is not in the menu. */
export function rootFor(menu: Menu, path: string): MenuNode | undefined {
  let node = entryFor(menu, path);
  while (node?.parent) node = node.parent;
  return node ?? menu.roots.find((root) => path.startsWith(`${root.path}/`));
}

/** Codes held at a path; a page with a parameter and no codes of its own takes those of its parent. */
export function codesAt(menu: Menu, path: string): readonly PermissionCode[] {
  const node = entryFor(menu, path);
  if (!node) return [];
  if (node.menuPermission.length === 0 && node.path.includes(':')) return node.parent?.menuPermission ?? [];
  return node.menuPermission;
}

export type Choice = { kind: 'leave'; url: string } | { kind: 'go'; to: string } | { kind: 'show' };

/** The effect of choosing a first-level entry. */
export function choose(node: MenuNode): Choice {
  if (isExternal(node.path)) return { kind: 'leave', url: node.path };
  if (node.path.includes('/redirect')) return { kind: 'go', to: node.path.replace('/redirect', '') };
  const children = visibleChildren(node);
  const only = children[0];
  if (!only || (children.length === 1 && only.meta?.show === false)) {
    return { kind: 'go', to: node.component || !only ? node.path : only.path };
  }
  return { kind: 'show' };
}
