import { Button, Dropdown } from 'antd';
import { useCallback, useRef, useState } from 'react';
import RichText from '#kernel/web/kit/rich/RichText.tsx';
import { variableNode } from '#kernel/web/kit/rich/variable.ts';

interface Props {
  value: string;
  /** Values that may be inserted, by key. */
  names: Readonly<Record<string, string>>;
  onChange: (html: string) => void;
}

/** The template a ticket is printed with. */
export default function TemplateEditor({ value, names, onChange }: Props) {
  const known = useRef(names);
  known.current = names;
  const [own] = useState(() => [variableNode((key) => known.current[key] ?? `已删除的字段 ${key}`)]);
  const tell = useRef(onChange);
  tell.current = onChange;
  const change = useCallback((next: unknown) => tell.current(String(next ?? '')), []);
  return (
    <RichText
      control={{ id: 'print-template', value, onChange: change }}
      label="打印模板"
      own={own}
      tools={(editor) => (
        <Dropdown
          trigger={['click']}
          menu={{
            items: Object.entries(names).map(([key, label]) => ({ key, label })),
            className: 'print-template-keys',
            onClick: ({ key }) => editor.chain().focus().insertContent({ type: 'variable', attrs: { key } }).run(),
          }}
        >
          <Button size="small">插入字段</Button>
        </Dropdown>
      )}
    />
  );
}
