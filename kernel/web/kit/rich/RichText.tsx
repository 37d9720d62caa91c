import { Editor, useEditorState, type EditorEvents, type Extensions } from '@tiptap/react';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { FieldControl } from '../form/FieldInput.tsx';
import { extensions } from './extensions.ts';
import { pasted } from './pasting.ts';
import { Toolbar } from './Toolbar.tsx';
import './rich.css';

export interface RichTextProps {
  control: FieldControl;
  label: string;
  /** Further elements of this text; they must not change while it is shown. */
  own?: Extensions;
  /** Tools for them, beside the usual ones. */
  tools?: (editor: Editor) => ReactNode;
}

/** An editor of formatted text; its value is HTML, '' for an empty text. Large: load it lazily. */
export default function RichText({ control, label, own = [], tools }: RichTextProps) {
  const { id, value, onChange, disabled = false } = control;
  const [lost, setLost] = useState<readonly string[]>([]);
  const [editor] = useState(() => {
    // Pasted content is parsed before it is inserted.
    let left: readonly string[] = [];
    const tellLeft = () => {
      setLost(left);
      left = [];
      return false;
    };
    return new Editor({
      element: null,
      extensions: [...extensions, ...own],
      content: (value as string | undefined) ?? '',
      editable: !disabled,
      injectCSS: false,
      editorProps: {
        transformPastedHTML: (html) => {
          const taken = pasted(html);
          left = taken.lost;
          return taken.html;
        },
        handlePaste: (_view, { clipboardData }) => {
          // A picture alone comes without formatted text.
          const files = [...(clipboardData?.files ?? [])].filter((file) => file.type.startsWith('image/'));
          if (files.length === 0 || clipboardData?.types.includes('text/html')) return tellLeft();
          setLost([`${files.length} 张图片（正文不能放图片，请作为附件上传）`]);
          return true;
        },
        handleDrop: tellLeft,
        attributes: {
          ...(id && { id }),
          class: 'rich-text',
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-label': label,
          lang: 'zh-CN',
        },
      },
    });
  });
  const place = useRef<HTMLDivElement>(null);
  // Behind another page the editor leaves the document and keeps its text; the library's own hook would destroy it there, and it could not be shown
  // again.
  useLayoutEffect(() => {
    editor.mount(place.current!);
    return () => editor.unmount();
  }, [editor]);
  useEffect(() => {
    const tell = ({ transaction }: EditorEvents['update']) => {
      // A person who goes on writing has read what was left out.
      if (!['paste', 'drop'].includes(transaction.getMeta('uiEvent') as string)) setLost([]);
      onChange?.(editor.isEmpty ? '' : editor.getHTML());
    };
    editor.on('update', tell);
    return () => void editor.off('update', tell);
  }, [editor, onChange]);
  const length = useEditorState({
    editor,
    selector: ({ editor: it }) => [...it.getText({ blockSeparator: '' })].length,
  });
  useEffect(() => editor.setEditable(!disabled, false), [editor, disabled]);
  useEffect(() => {
    // The value changed from outside, by a restored draft or a correction; typed text comes back unchanged.
    const html = (value as string | undefined) ?? '';
    if (html !== (editor.isEmpty ? '' : editor.getHTML())) editor.commands.setContent(html, { emitUpdate: false });
  }, [editor, value]);
  return (
    <div className="rich" data-invalid={control['aria-invalid']} aria-describedby={control['aria-describedby']}>
      <Toolbar editor={editor} disabled={disabled}>
        {tools?.(editor)}
      </Toolbar>
      <div ref={place} />
      {lost.length > 0 && (
        <p className="rich-lost" role="status">
          没有粘贴：{lost.join('；')}
        </p>
      )}
      <p className="rich-count kit-muted">{length} 字</p>
    </div>
  );
}
