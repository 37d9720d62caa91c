import { PlusOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import type { StateKind } from '../../../engine/codes.ts';
import { kindNames } from '../../words.ts';
import { addable } from '../kinds.ts';

const kinds = addable.filter(([kind]) => kind !== 'start' && kind !== 'end');

/** Inserts a state into a line of the drawing. */
export function InsertButton({ line, onInsert }: { line: string; onInsert: (kind: StateKind) => void }) {
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: kinds.map(([kind, hint]) => ({ key: kind, label: kindNames[kind], title: hint })),
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation();
          onInsert(key as StateKind);
        },
      }}
    >
      <Button
        size="small"
        shape="circle"
        className="nodrag nopan"
        icon={<PlusOutlined />}
        aria-label={`在流转“${line}”上添加环节`}
      />
    </Dropdown>
  );
}
