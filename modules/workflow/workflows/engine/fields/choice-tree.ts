/** A choice of a cascade; it names the choice it lies below, if any. */
export interface TreeChoice {
  value: string;
  label: string;
  parent?: string | undefined;
}
export interface ChoiceNode {
  value: string;
  label: string;
  children?: ChoiceNode[];
}

/** Levels of a cascade. */
export const deepest = 6;

/** The choices as a tree; circular ones and those deeper than `deepest` are left out. */
export function choiceTree(choices: readonly TreeChoice[]): ChoiceNode[] {
  const below = Map.groupBy(choices, (one) => one.parent ?? '');
  const under = (parent: string, level: number): ChoiceNode[] =>
    (level > deepest ? [] : (below.get(parent) ?? [])).map(({ value, label }) => {
      const children = under(value, level + 1);
      return children.length > 0 ? { value, label, children } : { value, label };
    });
  return under('', 1);
}

/** The nodes from the top to one of them; null if it is not there. */
export function pathTo(nodes: readonly ChoiceNode[], value: string): ChoiceNode[] | null {
  for (const node of nodes) {
    const rest = node.value === value ? [] : pathTo(node.children ?? [], value);
    if (rest) return [node, ...rest];
  }
  return null;
}

/** True if values lead from the top down to a leaf, or to the last level required. */
export function isWholePath(nodes: readonly ChoiceNode[], path: readonly unknown[], levels = deepest): boolean {
  let here = nodes;
  for (const step of path) {
    const node = here.find(({ value }) => value === step);
    if (!node) return false;
    here = node.children ?? [];
  }
  return path.length === levels || (path.length > 0 && path.length < levels && here.length === 0);
}

/** The tree cut off at a level. */
export function cutTree(nodes: readonly ChoiceNode[], levels: number): ChoiceNode[] {
  return nodes.map(({ value, label, children }) =>
    levels > 1 && children ? { value, label, children: cutTree(children, levels - 1) } : { value, label },
  );
}

/** Every node with its ancestors in words, as a flat list. */
export function flatChoices(nodes: readonly ChoiceNode[], above = ''): { value: string; label: string }[] {
  return nodes.flatMap(({ value, label, children }) => {
    const whole = above === '' ? label : `${above} / ${label}`;
    return [{ value, label: whole }, ...flatChoices(children ?? [], whole)];
  });
}

/** A path in words; a level named like the one above it is given once. */
export const pathWords = (labels: readonly string[]): string =>
  labels.filter((label, at) => label !== labels[at - 1]).join(' / ');

/** A tree as people type it: a line for each choice, indented by two spaces per level. */
export const treeText = (nodes: readonly ChoiceNode[], indent = ''): string =>
  nodes.map((node) => `${indent}${node.label}\n${treeText(node.children ?? [], `${indent}  `)}`).join('');

/** The choices in such a text. Those whose path is unchanged keep their values, so that earlier choices stay valid. */
export function typedTree(text: string, before: readonly TreeChoice[]): TreeChoice[] {
  const known = new Map(flatChoices(choiceTree(before)).map(({ value, label }) => [label, value]));
  const taken = new Set(known.values());
  const found: TreeChoice[] = [];
  const above: { indent: number; value: string; words: string }[] = [];
  let next = 1;
  const free = () => {
    while (taken.has(`c${next}`)) next += 1;
    taken.add(`c${next}`);
    return `c${next}`;
  };
  for (const line of text.replaceAll('\t', '  ').split('\n')) {
    const label = line.trim().slice(0, 100);
    if (label === '') continue;
    const indent = line.length - line.trimStart().length;
    while (above.length > 0 && above.at(-1)!.indent >= indent) above.pop();
    const parent = above.at(-1);
    const words = parent ? `${parent.words} / ${label}` : label;
    const value = known.get(words) ?? free();
    known.delete(words);
    found.push({ value, label, ...(parent && { parent: parent.value }) });
    above.push({ indent, value, words });
  }
  return found;
}
