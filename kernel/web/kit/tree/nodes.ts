import type { TreeNode } from '../form/TreePicker.tsx';
import type { Node } from './moving.ts';

type Usable = Node & { status?: boolean | number };

/** Nodes as a picker shows them, without one and all below it; what is switched off cannot be picked where `onlyUsable`. */
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

/** Those whose name or code holds a word, with those above them. */
export function found<N extends Node & { code?: string }>(nodes: readonly N[], word: string): N[] {
  const wanted = word.trim().toLowerCase();
  if (!wanted) return [...nodes];
  return nodes.flatMap((node) => {
    const children = found((node.children ?? []) as readonly N[], word);
    const itself = `${node.name} ${node.code ?? ''}`.toLowerCase().includes(wanted);
    return itself || children.length > 0 ? [{ ...node, children }] : [];
  });
}
