import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { Node } from '@tiptap/pm/model';
import { StarterKit } from '@tiptap/starter-kit';
import { Editor } from '@tiptap/react';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react';
import { charactersIn } from '#kernel/contract/words/cut.ts';
import { variableNode } from '#kernel/web/kit/rich/variable.ts';
import '#kernel/web/kit/rich/rich.css';

/** A placeholder that may be inserted, and its name. */
export interface Insert {
  key: string;
  name: string;
}
export interface Putting {
  put: (key: string) => void;
}

interface Props {
  id: string;
  label: string;
  max: number;
  value: string;
  inserts: readonly Insert[];
  onChange: (text: string) => void;
  /** Inserts a placeholder at the cursor. */
  ref: Ref<Putting>;
}

const places = /(\{\w+\})/;

/** The editor's document for a text: a known placeholder is one piece, any other text stays as written. */
const documentOf = (text: string, inserts: readonly Insert[]) => ({
  type: 'doc',
  content: text.split('\n').map((line) => ({
    type: 'paragraph',
    content: line
      .split(places)
      .filter((part) => part !== '')
      .map((part) => {
        const known = places.test(part) && inserts.some(({ key }) => `{${key}}` === part);
        return known ? { type: 'variable', attrs: { key: part.slice(1, -1) } } : { type: 'text', text: part };
      }),
  })),
});

/** The text of a document, with its placeholders as the server stores them. */
const textOf = (doc: Node): string =>
  doc.textBetween(0, doc.content.size, '\n', (leaf) => (leaf.type.name === 'variable' ? `{${leaf.attrs['key']}}` : ''));

const noLongerThan = (max: number) =>
  Extension.create({
    name: 'limit',
    addProseMirrorPlugins: () => [
      new Plugin({
        filterTransaction: ({ doc, docChanged, before }) =>
          !docChanged || charactersIn(textOf(doc)) <= Math.max(max, charactersIn(textOf(before))),
      }),
    ],
  });

/** A text editor that shows placeholders as pieces with their names. Large: load it lazily. */
export default function TemplateText({ id, label, max, value, inserts, onChange, ref }: Props) {
  const known = useRef(inserts);
  known.current = inserts;
  const tell = useRef(onChange);
  tell.current = onChange;
  const [editor] = useState(() => {
    const nameOf = (key: string) => known.current.find((one) => one.key === key)?.name ?? key;
    const made = new Editor({
      element: null,
      extensions: [
        StarterKit.configure({
          blockquote: false,
          bold: false,
          bulletList: false,
          code: false,
          codeBlock: false,
          hardBreak: false,
          heading: false,
          horizontalRule: false,
          italic: false,
          link: false,
          listItem: false,
          listKeymap: false,
          orderedList: false,
          strike: false,
          underline: false,
          trailingNode: false,
        }),
        variableNode(nameOf),
        noLongerThan(max),
      ],
      content: documentOf(value, inserts),
      injectCSS: false,
      editorProps: {
        clipboardTextSerializer: (slice) =>
          slice.content.textBetween(0, slice.content.size, '\n', (leaf) => nameOf(String(leaf.attrs['key']))),
        attributes: { id, class: 'settings-text', role: 'textbox', 'aria-multiline': 'true', 'aria-label': label },
      },
      onUpdate: ({ editor: it }) => tell.current(textOf(it.state.doc)),
    });
    // Without a cursor yet, insertions go to the end.
    made.commands.setTextSelection(made.state.doc.content.size);
    return made;
  });
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    editor.mount(place.current!);
    return () => editor.unmount();
  }, [editor]);
  useImperativeHandle(
    ref,
    () => ({ put: (key) => void editor.chain().focus().insertContent({ type: 'variable', attrs: { key } }).run() }),
    [editor],
  );
  useEffect(() => {
    if (value !== textOf(editor.state.doc))
      editor.commands.setContent(documentOf(value, known.current), { emitUpdate: false });
  }, [editor, value]);
  return <div ref={place} />;
}
