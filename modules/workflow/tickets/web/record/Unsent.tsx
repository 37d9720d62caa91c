import { Alert, Button } from 'antd';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import type { Detail } from '../../contract/shapes.ts';

interface Props {
  ticket: Detail;
  edited: Readonly<Record<string, unknown>>;
  words: string;
  onDrop: () => void;
}

/** Input that can no longer be sent because somebody was faster: to be copied, or discarded. */
export function Unsent({ ticket, edited, words, onDrop }: Props) {
  const fields = ticket.field_list.flatMap(({ field_key, field_name, field_attribute }) => {
    const value = edited[field_key];
    return field_attribute === 1 && typeof value === 'string' && value !== '' ? [[field_name, value] as const] : [];
  });
  const lines = [...(words === '' ? [] : [['意见', words] as const]), ...fields];
  if (lines.length === 0) return null;
  return (
    <Alert
      type="warning"
      title="您写的内容没有提交，可以复制后丢弃"
      description={lines.map(([name, text]) => (
        <div key={name}>
          {name}：<CopyText text={text} />
        </div>
      ))}
      action={
        <Button size="small" onClick={onDrop}>
          丢弃
        </Button>
      }
    />
  );
}
