import { createElement, useMemo, type CSSProperties, type ReactNode } from 'react';

interface Props {
  /** HTML of a template. */
  template: string;
  /** Returns the value of a key. */
  show: (key: string) => ReactNode;
}

/** Elements a template may contain; a paragraph becomes a block, because a table may replace its content. */
const tags: Partial<Record<string, string>> = {
  P: 'div',
  ...Object.fromEntries(
    [
      'h2',
      'h3',
      'h4',
      'h5',
      'ul',
      'ol',
      'li',
      'strong',
      'em',
      'u',
      's',
      'table',
      'tbody',
      'thead',
      'tr',
      'th',
      'td',
    ].map((tag) => [tag.toUpperCase(), tag]),
  ),
};
const aligned = ['left', 'center', 'right', 'justify'];

/** A document with values in place of its variables. Only known elements are created, whatever the text contains. */
export function PrintedPage({ template, show }: Props) {
  const body = useMemo(() => new DOMParser().parseFromString(template, 'text/html').body, [template]);
  return <div className="printed-page">{childrenOf(body, show)}</div>;
}

const childrenOf = (node: Node, show: Props['show']): ReactNode[] =>
  [...node.childNodes].map((child, at) => drawn(child, at, show));

function drawn(node: Node, at: number, show: Props['show']): ReactNode {
  if (!(node instanceof HTMLElement)) return node.nodeType === Node.TEXT_NODE ? node.textContent : null;
  const { variable } = node.dataset;
  if (variable !== undefined) return <span key={at}>{show(variable)}</span>;
  if (node.tagName === 'BR') return <br key={at} />;
  const tag = tags[node.tagName];
  if (!tag) return childrenOf(node, show);
  const { textAlign, textIndent } = node.style;
  const style: CSSProperties = {
    ...(aligned.includes(textAlign) && { textAlign: textAlign as 'center' }),
    ...(textIndent === '2em' && { textIndent }),
  };
  const cell = node instanceof HTMLTableCellElement ? { colSpan: node.colSpan, rowSpan: node.rowSpan } : {};
  return createElement(tag, { key: at, style, ...cell }, ...childrenOf(node, show));
}
