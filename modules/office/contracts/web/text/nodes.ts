import { Extension, Node } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { Node as Part } from '@tiptap/pm/model';

/** A locked clause: paragraphs that need a legal review when changed. */
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

/** Allows edits of a locked clause only if `may` returns true; it may ask for confirmation first. */
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
