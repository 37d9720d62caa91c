import { Extension } from '@tiptap/core';
import { TableKit } from '@tiptap/extension-table';
import { StarterKit } from '@tiptap/starter-kit';

const blocks = ['paragraph', 'heading'];
const aligned = ['left', 'center', 'right', 'justify'];

/** Alignment and first-line indentation, in the form that the server keeps. */
const Placement = Extension.create({
  name: 'placement',
  addGlobalAttributes() {
    return [
      {
        types: blocks,
        attributes: {
          align: {
            default: null,
            parseHTML: (element) => {
              const said = element.style.textAlign || element.getAttribute('align') || '';
              return aligned.includes(said) && said !== 'left' ? said : null;
            },
            renderHTML: ({ align }) => (align ? { style: `text-align: ${align as string}` } : {}),
          },
          flush: {
            default: false,
            parseHTML: (element) => /^0(?:px|pt|em)?$/.test(element.style.textIndent),
            renderHTML: ({ flush }) => (flush ? { style: 'text-indent: 0' } : {}),
          },
        },
      },
    ];
  },
});

export const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4, 5] },
    blockquote: false,
    code: false,
    codeBlock: false,
    horizontalRule: false,
    link: false,
    strike: false,
  }),
  TableKit.configure({ table: { resizable: false } }),
  Placement,
];
