import { Node } from '@tiptap/core';

/** A placeholder for a value: one element in the text, `<span data-variable="key">`, shown as `shown` returns for its key. */
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
        dom.className = 'rich-variable';
        dom.dataset['key'] = String(node.attrs['key']);
        dom.textContent = shown(String(node.attrs['key']));
        return { dom };
      },
  });
