import type { TreeNode } from '../form/TreePicker.tsx';
import type { Node } from './moving.ts';

type Usable = Node & { status?: boolean | number };

/** Nodes for a picker, without one node and its descendants; with `onlyUsable` disabled nodes cannot be picked. */
export function pickable(nodes: readonly Usable[], without?: number, onlyUsable = false): TreeNode[] {
  return nodes
    .filter((node) => node.id !== without)
    .map(({ id, name, status, children = [] }) => ({
      id,
      name,
      ...(onlyUsable && status !== undefined && !status ? { disabled: true } : {}),
      children: pickable(children, without, onlyUsable),
    }));
}

/** The nodes whose name or code contains a word, with their ancestors. */
export function found<N extends Node & { code?: string }>(nodes: readonly N[], word: string): N[] {
  const wanted = word.trim().toLowerCase();
  if (!wanted) return [...nodes];
  return nodes.flatMap((node) => {
    const children = found((node.children ?? []) as readonly N[], word);
    const itself = `${node.name} ${node.code ?? ''}`.toLowerCase().includes(wanted);
    return itself || children.length > 0 ? [{ ...node, children }] : [];
  });
}
