import { Extension } from '@tiptap/core';
import { TableKit } from '@tiptap/extension-table';
import { StarterKit } from '@tiptap/starter-kit';

const blocks = ['paragraph', 'heading'];
const aligned = ['left', 'center', 'right', 'justify'];

/** Alignment, and whether the first line is indented; both as the server keeps them. */
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

/** What Word brings along is left behind: its comments, its own elements, its hidden text and the blanks it indents with. */
export function cleanPaste(html: string): string {
  const body = /<!--StartFragment-->([\s\S]*?)<!--EndFragment-->/.exec(html)?.[1] ?? html;
  return body
    .replace(/<!--[\s\S]*?-->|<!\[[^\]]*\]>/g, '')
    .replace(/<(style|script|xml|head|title)[\s\S]*?<\/\1>/gi, '')
    .replace(/<\/?(?:o|w|v|m):[^>]*>/gi, '')
    .replace(/<span[^>]*mso-hide:\s*all[^>]*>[\s\S]*?<\/span>/gi, '')
    .replace(/text-indent:\s*(?!0)[^;"']*;?/gi, '')
    .replace(/(<p[^>]*>)(?:\s|&nbsp;|<span[^>]*>(?:\s|&nbsp;)*<\/span>)+/gi, '$1');
}
