import { Button, Checkbox, Input, Segmented, Select } from 'antd';
import { useState } from 'react';
import { Shared } from '../bar/Shared.tsx';
import { asDesigned, moved, ordered } from './columns.ts';
import type { ColumnChoice, Density, ListColumn } from './columns.ts';
import { NumberInput } from '../../form/NumberInput.tsx';

export interface ColumnPanelProps {
  list: string;
  columns: readonly ListColumn<never>[];
  choice: ColumnChoice;
  onChange: (choice: ColumnChoice | null) => void;
}

const pins = [
  { value: 'none', label: '不固定' },
  { value: 'left', label: '固定左侧' },
  { value: 'right', label: '固定右侧' },
];
const densities = [
  { value: 'small', label: '紧凑' },
  { value: 'medium', label: '适中' },
  { value: 'large', label: '宽松' },
];

/**
 * Settings of the columns: which are shown, their order (dragged or by buttons), pinning, width and row density; they can be taken from a role and
 * shared with one.
 */
export default function ColumnPanel({ list, columns, choice, onChange }: ColumnPanelProps) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [name, setName] = useState('');
  const rows = ordered(columns, choice);
  const order = rows.map((column) => column.key);
  const change = (part: Partial<ColumnChoice>) => onChange({ ...choice, ...part });
  const move = (from: number, to: number) => change({ order: moved(order, from, to) });
  return (
    <div className="kit-columns" role="dialog" aria-label="列设置">
      <Segmented
        aria-label="行距"
        value={choice.density}
        options={densities}
        onChange={(value) => change({ density: value as Density })}
      />
      <ul>
        {rows.map((column, index) => (
          <li
            key={column.key}
            draggable
            onDragStart={() => setDragged(index)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => dragged !== null && move(dragged, index)}
          >
            <Checkbox
              checked={!column.hidden}
              disabled={column.main}
              onChange={(event) => change({ shown: { ...choice.shown, [column.key]: event.target.checked } })}
            >
              {column.title}
            </Checkbox>
            <Button
              size="small"
              type="text"
              disabled={index === 0}
              aria-label={`上移 ${column.title}`}
              onClick={() => move(index, index - 1)}
            >
              ↑
            </Button>
            <Button
              size="small"
              type="text"
              disabled={index === rows.length - 1}
              aria-label={`下移 ${column.title}`}
              onClick={() => move(index, index + 1)}
            >
              ↓
            </Button>
            <Select
              size="small"
              aria-label={`固定 ${column.title}`}
              value={column.pin ?? 'none'}
              options={pins}
              onChange={(pin) => change({ pins: { ...choice.pins, [column.key]: pin as 'left' } })}
            />
            <NumberInput
              size="small"
              min={60}
              max={800}
              step={20}
              aria-label={`宽度 ${column.title}`}
              placeholder="宽度"
              value={column.width}
              onChange={(width) => change({ widths: { ...choice.widths, [column.key]: Number(width) || 120 } })}
            />
          </li>
        ))}
      </ul>
      <Button size="small" disabled={choice === asDesigned} onClick={() => onChange(null)}>
        恢复默认
      </Button>
      <Input
        value={name}
        maxLength={20}
        placeholder="共享时的名称"
        aria-label="共享时的名称"
        onChange={(event) => setName(event.target.value)}
      />
      <Shared
        list={list}
        title="共享的列设置"
        isOurs={(one) => one.columns !== null}
        now={{ columns: choice }}
        name={name.trim()}
        onShared={() => setName('')}
        line={(one, hint, onRemove) => (
          <li key={one.id}>
            <Button type="text" title={hint} onClick={() => onChange(one.columns)}>
              采用“{one.name}”
            </Button>
            <span className="kit-grow" />
            {onRemove && (
              <Button type="text" size="small" aria-label={`取消共享 ${one.name}`} onClick={onRemove}>
                ×
              </Button>
            )}
          </li>
        )}
      />
    </div>
  );
}
