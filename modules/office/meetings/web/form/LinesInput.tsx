import { Button, Input, InputNumber } from 'antd';
import type { ReactNode } from 'react';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { FilesInput } from '#modules/platform/files/widgets.tsx';
import type { FileCard } from '#modules/platform/files/contract.ts';
import type { Guest, Topic } from '../../contract/shapes.ts';

export const materialKinds = '.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.png,.jpg,.jpeg';

interface Props<T> {
  control: FieldControl;
  noun: string;
  fresh: T;
  row: (one: T, change: (part: Partial<T>) => void, at: number) => ReactNode;
}

/** Lines of one kind, each with fields of its own, to add and to take away. */
function Lines<T extends object>({ control, noun, fresh, row }: Props<T>) {
  const rows = (control.value as T[] | undefined) ?? [];
  const set = (next: T[]) => control.onChange?.(next);
  return (
    <div className="kit-stack" role="group" aria-label={noun}>
      {rows.map((one, at) => (
        <div key={at} className="kit-row meet-line">
          {row(one, (part) => set(rows.map((other, n) => (n === at ? { ...other, ...part } : other))), at)}
          <Button
            size="small"
            type="text"
            danger
            aria-label={`移除第 ${at + 1} 个${noun}`}
            onClick={() => set(rows.filter((_, n) => n !== at))}
          >
            移除
          </Button>
        </div>
      ))}
      <Button id={control.id} disabled={control.disabled} onClick={() => set([...rows, fresh])}>
        添加{noun}
      </Button>
    </div>
  );
}
const word = <T extends object>(one: T, key: keyof T & string, label: string, change: (part: Partial<T>) => void) => (
  <Input
    aria-label={label}
    placeholder={label}
    value={one[key] as string}
    onChange={({ target }) => change({ [key]: target.value } as Partial<T>)}
  />
);

export const TopicsInput = ({
  control,
  known = [],
}: {
  control: FieldControl;
  known?: readonly FileCard[] | undefined;
}) => (
  <Lines<Topic>
    control={control}
    noun="议题"
    fresh={{ title: '', reporter: '', minutes: null, files: [] }}
    row={(one, change, at) => (
      <>
        {word(one, 'title', `第 ${at + 1} 个议题`, change)}
        {word(one, 'reporter', '汇报人', change)}
        <InputNumber
          aria-label="时长（分钟）"
          placeholder="分钟"
          min={1}
          max={600}
          value={one.minutes}
          onChange={(minutes) => change({ minutes })}
        />
        <FilesInput
          label={`第 ${at + 1} 个议题的附件`}
          module="meetings"
          accept={materialKinds}
          max={5}
          value={one.files}
          known={known}
          onChange={(files) => change({ files })}
        />
      </>
    )}
  />
);

export const GuestsInput = ({ control }: { control: FieldControl }) => (
  <Lines<Guest & { mobile_tail?: string | null }>
    control={control}
    noun="校外人员"
    fresh={{ name: '', org: '', mobile: '' }}
    row={(one, change) => (
      <>
        {word(one, 'name', '姓名', change)}
        {word(one, 'org', '单位', change)}
        {word(one, 'mobile', one.mobile_tail ? `手机号，尾号 ${one.mobile_tail}` : '手机号', change)}
      </>
    )}
  />
);
