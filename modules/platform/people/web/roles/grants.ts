import { toTree, type Branch } from '#kernel/web/tree.ts';
import type { MenuButtonRow, MenuItem } from '#modules/platform/access/contract.ts';

/** The menus and permissions of a role: ids of menus and of menu buttons. */
export interface Grants {
  menus: ReadonlySet<number>;
  buttons: ReadonlySet<number>;
}

/** A row of the editor. A heading cannot be granted itself: it appears with what is below it. */
export interface GrantNode {
  id: number;
  name: string;
  heading: boolean;
  buttons: { id: number; name: string }[];
  children?: GrantNode[];
}

export type Checked = 'all' | 'some' | 'none';

/** The tree of everything the viewer holds: nobody can grant more. */
export function grantTree(mine: readonly MenuItem[], offered: readonly MenuButtonRow[]): GrantNode[] {
  const nodeOf = (item: Branch<MenuItem>): GrantNode => ({
    id: item.id,
    name: item.name,
    heading: item.component === '' && !item.is_link,
    buttons: offered.filter((button) => button.menu === item.id && item.menuPermission.includes(button.code)),
    ...(item.children.length > 0 ? { children: item.children.map(nodeOf) } : {}),
  });
  return toTree(mine, { parentId: 'parent' }).map(nodeOf);
}

function below(node: GrantNode): GrantNode[] {
  return [node, ...(node.children ?? []).flatMap(below)];
}
const menusBelow = (node: GrantNode) => below(node).filter((one) => !one.heading);
const buttonsBelow = (node: GrantNode) => below(node).flatMap((one) => one.buttons);

function checkedOf(ids: readonly number[], held: ReadonlySet<number>): Checked {
  const count = ids.filter((id) => held.has(id)).length;
  return count === 0 ? 'none' : count === ids.length ? 'all' : 'some';
}

/** State of the menus at and below a row. */
export function menuChecked(node: GrantNode, grants: Grants): Checked {
  return checkedOf(
    menusBelow(node).map((one) => one.id),
    grants.menus,
  );
}

/** State of everything at and below a row, codes included. */
export function rowChecked(node: GrantNode, grants: Grants): Checked {
  const [menus, buttons] = [menuChecked(node, grants), buttonsBelow(node)];
  if (buttons.length === 0) return menus;
  const held = checkedOf(
    buttons.map((one) => one.id),
    grants.buttons,
  );
  return menus === held ? menus : 'some';
}

function changed(held: ReadonlySet<number>, ids: readonly number[], on: boolean): Set<number> {
  const next = new Set(held);
  for (const id of ids)
    if (on) next.add(id);
    else next.delete(id);
  return next;
}

/** Shows or hides the menus at and below a row; hiding also removes their codes. */
export function withMenus(grants: Grants, node: GrantNode, on: boolean): Grants {
  const menus = menusBelow(node).map((one) => one.id);
  const buttons = buttonsBelow(node).map((one) => one.id);
  return {
    menus: changed(grants.menus, menus, on),
    buttons: on ? grants.buttons : changed(grants.buttons, buttons, false),
  };
}

/** Grants or removes one code; granting also shows its menu. */
export function withButton(grants: Grants, node: GrantNode, button: number, on: boolean): Grants {
  return {
    menus: on ? changed(grants.menus, [node.id], true) : grants.menus,
    buttons: changed(grants.buttons, [button], on),
  };
}

/** Grants or removes everything at and below a row. */
export function withRow(grants: Grants, node: GrantNode, on: boolean): Grants {
  const { menus, buttons } = withMenus(grants, node, on);
  return {
    menus,
    buttons: changed(
      buttons,
      buttonsBelow(node).map((one) => one.id),
      on,
    ),
  };
}
