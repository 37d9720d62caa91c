import { App, Button, Dropdown } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import RichText from '#kernel/web/kit/rich/RichText.tsx';
import type { TemplateVariable } from '../../contract/templates.ts';
import { variableNode } from '#kernel/web/kit/rich/variable.ts';
import { lockedGuard, lockedNode } from './nodes.ts';
import './text.css';

interface Props {
  control: FieldControl;
  variables: readonly TemplateVariable[];
  /** The values of variables in a contract; absent in a template, where clauses can be locked. */
  values?: Readonly<Record<string, string>>;
}

/** The editor of a template, or of a contract written from one. Large: load it lazily. */
export default function TextEditor({ control, variables, values }: Props) {
  const { modal } = App.useApp();
  const place = useRef<HTMLDivElement>(null);
  const known = useRef({ variables, values, agreed: false });
  known.current.variables = variables;
  known.current.values = values;
  const [own] = useState(() => {
    const shown = (key: string) => {
      const { variables: all, values: typed } = known.current;
      return typed?.[key] || all.find((one) => one.key === key)?.label || key;
    };
    const may = () => {
      if (known.current.values === undefined || known.current.agreed) return true;
      modal.confirm({
        title: '改动锁定条款',
        content: '这是示范文本的锁定条款，改动后须法务审核。',
        okText: '仍要改动',
        cancelText: '保留原文',
        onOk: () => void (known.current.agreed = true),
      });
      return false;
    };
    return { shown, nodes: [variableNode(shown), lockedNode, lockedGuard(may)] };
  });
  useEffect(() => {
    for (const chip of place.current?.querySelectorAll<HTMLElement>('.rich-variable') ?? [])
      chip.textContent = own.shown(chip.dataset['key'] ?? '');
  });
  return (
    <div ref={place} className="contract-text">
      <RichText
        control={control}
        label="合同正文"
        own={own.nodes}
        tools={(editor) => (
          <>
            <Dropdown
              trigger={['click']}
              disabled={control.disabled || variables.length === 0}
              menu={{
                items: variables.map(({ key, label }) => ({ key, label })),
                onClick: ({ key }) => editor.chain().focus().insertContent({ type: 'variable', attrs: { key } }).run(),
              }}
            >
              <Button size="small">插入变量</Button>
            </Dropdown>
            {values === undefined && (
              <Button
                size="small"
                disabled={control.disabled ?? false}
                onClick={() =>
                  editor.isActive('locked')
                    ? editor.chain().focus().lift('locked').run()
                    : editor
                        .chain()
                        .focus()
                        .wrapIn('locked', { key: Date.now().toString(36) })
                        .run()
                }
              >
                锁定／解锁条款
              </Button>
            )}
          </>
        )}
      />
    </div>
  );
}
