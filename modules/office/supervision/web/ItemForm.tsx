import { Button, Input } from 'antd';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { RecordForm } from '#modules/workflow/records/widgets.tsx';
import { superviseLevel } from '../contract/codes.ts';
import { items } from '../contract/supervise.ts';
import { itemFields } from './parts/actions.tsx';
import './parts/supervise.css';

interface Part {
  title?: string;
  owner?: number;
  due_at?: string;
  weight?: number;
}
/** Numbered demands in a text: these may become separate parts, as one matter is one item. */
const numbered = (text: string) =>
  [...text.matchAll(/(?:^|\n)\s*(?:[（(]?[一二三四五六七八九十\d]{1,3}[)）、.．])\s*([^\n]{2,120})/gu)].map((found) =>
    found[1]!.trim(),
  );

function Parts({ value, onChange, text, due }: FieldControl & { text: string; due: string | undefined }) {
  const parts = (value as Part[] | undefined) ?? [];
  const set = (at: number, more: Part) =>
    onChange?.(parts.map((part, no) => (no === at ? { ...part, ...more } : part)));
  const add = (titles: readonly string[]) =>
    onChange?.([...parts, ...titles.map((title) => ({ title, weight: 1, ...(due ? { due_at: due } : {}) }))]);
  const found = numbered(text);
  const sum = parts.reduce((all, part) => all + (part.weight ?? 0), 0);
  return (
    <>
      {parts.map((part, at) => (
        <div key={at} className="sup-edit">
          <Input
            aria-label={`任务 ${at + 1}`}
            placeholder="任务"
            value={part.title}
            onChange={(event) => set(at, { title: event.target.value })}
          />
          <PersonPicker
            by="id"
            aria-label={`责任人 ${at + 1}`}
            placeholder="责任人"
            value={part.owner}
            onChange={(owner) => set(at, owner ? { owner } : {})}
          />
          <DateInput
            kind="datetime-local"
            aria-label={`时限 ${at + 1}`}
            value={part.due_at}
            onChange={(due_at) => set(at, { due_at })}
          />
          <NumberInput
            aria-label={`权重 ${at + 1}`}
            min={1}
            max={100}
            value={part.weight}
            onChange={(weight) => set(at, { weight: weight ?? 1 })}
          />
          <Button
            type="text"
            aria-label={`移除任务 ${at + 1}`}
            onClick={() => onChange?.(parts.filter((_part, no) => no !== at))}
          >
            ×
          </Button>
        </div>
      ))}
      <div className="kit-row">
        <Button onClick={() => add([''])}>加一项</Button>
        {found.length > 1 && <Button onClick={() => add(found)}>按内容中的 {found.length} 条要求分解</Button>}
        {parts.length > 0 && <span className="kit-muted">权重合计 {sum}</span>}
      </div>
    </>
  );
}

/** 立项: an item with its parts. */
export function ItemForm({
  onClose,
  initial = {},
}: {
  onClose: (id?: number) => void;
  initial?: Record<string, unknown>;
}) {
  const fields = itemFields({
    subs: {
      render: (control, values) => (
        <Parts {...control} text={String(values['content'] ?? '')} due={values['due_at'] as string | undefined} />
      ),
    },
    supervisor: { help: '不填则为自己' },
  });
  return (
    <RecordForm
      title="督办立项"
      note="一事一项；交办之前都可以修改"
      name="supervise:new"
      call={items.create}
      fields={fields}
      initial={{ level: superviseLevel.usual, feedback_cycle: 0, ...initial }}
      submit="立项"
      onDone={({ id }) => onClose(id)}
      onCancel={() => onClose()}
    />
  );
}
