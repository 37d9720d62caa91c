import { Extension, Node } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { Node as Part } from '@tiptap/pm/model';

/** A variable of a template: one piece in the text, shown by what `shown` says of its key. */
export const variableNode = (shown: (key: string) => string) =>
  Node.create({
    name: 'variable',
    group: 'inline',
    inline: true,
    atom: true,
    addAttributes: () => ({
      key: {
        default: '',
        parseHTML: (element: HTMLElement) => element.getAttribute('data-variable'),
        renderHTML: ({ key }: { key?: string }) => ({ 'data-variable': key }),
      },
    }),
    parseHTML: () => [{ tag: 'span[data-variable]' }],
    renderHTML: ({ HTMLAttributes: attributes }) => ['span', attributes],
    renderText: ({ node }) => shown(String(node.attrs['key'])),
    addNodeView:
      () =>
      ({ node }) => {
        const dom = document.createElement('span');
        dom.className = 'contract-variable';
        dom.dataset['key'] = String(node.attrs['key']);
        dom.textContent = shown(String(node.attrs['key']));
        return { dom };
      },
  });

/** A locked clause: paragraphs that are not to be changed without the lawyers. */
export const lockedNode = Node.create({
  name: 'locked',
  group: 'block',
  content: '(paragraph | heading | bulletList | orderedList | table)+',
  defining: true,
  addAttributes: () => ({
    key: {
      default: '',
      parseHTML: (element: HTMLElement) => element.getAttribute('data-locked'),
      renderHTML: ({ key }: { key?: string }) => ({ 'data-locked': key }),
    },
  }),
  parseHTML: () => [{ tag: 'div[data-locked]' }],
  renderHTML: ({ HTMLAttributes: attributes }) => ['div', attributes, 0],
});

function lockedIn(whole: Part): string {
  const found: unknown[] = [];
  whole.descendants((node) => {
    if (node.type.name === 'locked') found.push(node.toJSON());
    return node.type.name === 'doc';
  });
  return JSON.stringify(found);
}

/** Lets a locked clause be touched only where `may` says so, which may ask for it first. */
export const lockedGuard = (may: () => boolean) =>
  Extension.create({
    name: 'lockedGuard',
    addProseMirrorPlugins: () => [
      new Plugin({
        filterTransaction: (change, { doc }) =>
          !change.docChanged ||
          change.getMeta('preventUpdate') === true ||
          lockedIn(change.doc) === lockedIn(doc) ||
          may(),
      }),
    ],
  });
