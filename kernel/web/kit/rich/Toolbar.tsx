import {
  AlignCenterOutlined,
  AlignLeftOutlined,
  AlignRightOutlined,
  BoldOutlined,
  ItalicOutlined,
  OrderedListOutlined,
  RedoOutlined,
  TableOutlined,
  UnderlineOutlined,
  UndoOutlined,
  UnorderedListOutlined,
} from '@ant-design/icons';
import { useEditorState, type Editor } from '@tiptap/react';
import { Button, Dropdown, Select } from 'antd';
import type { ReactNode } from 'react';

const levels = [
  { value: 0, label: '正文' },
  { value: 2, label: '一级标题' },
  { value: 3, label: '二级标题' },
  { value: 4, label: '三级标题' },
  { value: 5, label: '四级标题' },
];

/** The editing commands, each with a Chinese name. */
export function Toolbar({ editor, disabled, children }: { editor: Editor; disabled: boolean; children?: ReactNode }) {
  const now = useEditorState({
    editor,
    selector: ({ editor: it }) => ({
      level: levels.find(({ value }) => value > 0 && it.isActive('heading', { level: value }))?.value ?? 0,
      bold: it.isActive('bold'),
      italic: it.isActive('italic'),
      underline: it.isActive('underline'),
      bullets: it.isActive('bulletList'),
      numbers: it.isActive('orderedList'),
      center: it.isActive({ align: 'center' }),
      right: it.isActive({ align: 'right' }),
      flush: it.isActive({ flush: true }),
      table: it.isActive('table'),
      undo: it.can().undo(),
      redo: it.can().redo(),
    }),
  });
  const run = () => editor.chain().focus();
  const place = (attributes: Record<string, unknown>) =>
    run().updateAttributes('paragraph', attributes).updateAttributes('heading', attributes).run();
  const tool = (label: string, icon: ReactNode, act: () => void, on = false, off = false) => (
    <Button
      key={label}
      className={typeof icon === 'string' ? 'rich-word' : ''}
      type={on ? 'primary' : 'text'}
      ghost={on}
      size="small"
      title={label}
      aria-label={label}
      aria-pressed={on}
      disabled={disabled || off}
      icon={typeof icon === 'string' ? undefined : icon}
      onClick={act}
    >
      {typeof icon === 'string' && icon}
    </Button>
  );
  const table = [
    { key: 'rowAfter', label: '下方加一行', act: () => run().addRowAfter().run() },
    { key: 'columnAfter', label: '右侧加一列', act: () => run().addColumnAfter().run() },
    { key: 'merge', label: '合并或拆分单元格', act: () => run().mergeOrSplit().run() },
    { key: 'head', label: '首行设为表头', act: () => run().toggleHeaderRow().run() },
    { key: 'row', label: '删除这一行', act: () => run().deleteRow().run() },
    { key: 'column', label: '删除这一列', act: () => run().deleteColumn().run() },
    { key: 'all', label: '删除表格', act: () => run().deleteTable().run() },
  ];
  return (
    <div className="rich-tools" role="toolbar" aria-label="正文格式">
      <Select
        size="small"
        className="rich-level"
        aria-label="段落层次"
        disabled={disabled}
        options={levels}
        value={now.level}
        onChange={(level) =>
          level === 0
            ? run().setParagraph().run()
            : run()
                .setHeading({ level: level as 2 })
                .run()
        }
      />
      {tool('加粗', <BoldOutlined />, () => run().toggleBold().run(), now.bold)}
      {tool('倾斜', <ItalicOutlined />, () => run().toggleItalic().run(), now.italic)}
      {tool('下划线', <UnderlineOutlined />, () => run().toggleUnderline().run(), now.underline)}
      {tool('左对齐', <AlignLeftOutlined />, () => place({ align: null }), !now.center && !now.right)}
      {tool('居中', <AlignCenterOutlined />, () => place({ align: 'center' }), now.center)}
      {tool('右对齐', <AlignRightOutlined />, () => place({ align: 'right' }), now.right)}
      {tool('首行缩进', '缩进', () => place({ flush: !now.flush }), !now.flush)}
      {tool('编号列表', <OrderedListOutlined />, () => run().toggleOrderedList().run(), now.numbers)}
      {tool('项目列表', <UnorderedListOutlined />, () => run().toggleBulletList().run(), now.bullets)}
      {now.table ? (
        <Dropdown
          trigger={['click']}
          menu={{
            items: table.map(({ key, label }) => ({ key, label })),
            onClick: ({ key }) => void table.find((one) => one.key === key)?.act(),
          }}
        >
          <Button size="small" type="primary" ghost icon={<TableOutlined />} disabled={disabled}>
            表格
          </Button>
        </Dropdown>
      ) : (
        tool('插入表格', <TableOutlined />, () => run().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run())
      )}
      {tool('撤销', <UndoOutlined />, () => run().undo().run(), false, !now.undo)}
      {tool('重做', <RedoOutlined />, () => run().redo().run(), false, !now.redo)}
      {children}
    </div>
  );
}
