import { Checkbox, Form, Input, Space } from 'antd';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { fieldType, isNumberType } from '../../engine/codes.ts';
import type { Column, Field } from '../../engine/definition.ts';
import { LabelledSelect } from '../LabelledSelect.tsx';

interface Props {
  part: Field | Column;
  id: string;
  onChange: (part: Partial<Field>) => void;
}
const texts: readonly number[] = [fieldType.string, fieldType.textarea, fieldType.richtext];
/** Labels of the maximum count, for types that have one. */
const counted: Partial<Record<number, string>> = {
  [fieldType.file]: '最多文件数',
  [fieldType.image]: '最多图片数',
  [fieldType.users]: '最多人数',
  [fieldType.depts]: '最多部门数',
  [fieldType.records]: '最多条数',
};

/** Limits of a type: length, range, digits, count; the words for yes and no; the default value. */
export function FieldLimits({ part, id, onChange }: Props) {
  const { type } = part;
  if (texts.includes(type))
    return (
      <Form.Item label="最多字数" htmlFor={`${id}-length`}>
        <NumberInput
          id={`${id}-length`}
          min={1}
          max={100_000}
          precision={0}
          value={part.max_length ?? null}
          onChange={(length) => onChange({ max_length: length ?? undefined })}
        />
      </Form.Item>
    );
  if (isNumberType(type))
    return (
      <Form.Item label="范围">
        <Space wrap>
          <NumberInput
            aria-label="最小值"
            placeholder="最小值"
            value={part.min ?? null}
            onChange={(min) => onChange({ min: min ?? undefined })}
          />
          至
          <NumberInput
            aria-label="最大值"
            placeholder="最大值"
            value={part.max ?? null}
            onChange={(max) => onChange({ max: max ?? undefined })}
          />
          {type === fieldType.float && (
            <NumberInput
              aria-label="小数位数"
              min={0}
              max={6}
              precision={0}
              suffix="位小数"
              value={part.decimals}
              onChange={(decimals) => onChange({ decimals: decimals ?? 2 })}
            />
          )}
        </Space>
      </Form.Item>
    );
  if (type === fieldType.region)
    return (
      <LabelledSelect
        id={`${id}-levels`}
        label="选到"
        options={[
          { value: 1, label: '省' },
          { value: 2, label: '市' },
          { value: 3, label: '区县' },
        ]}
        value={part.max ?? 3}
        onChange={(max) => onChange({ max })}
      />
    );
  if (type === fieldType.place)
    return (
      <Form.Item extra="填写时可取手机或电脑的位置，以经纬度写在地点后面">
        <Checkbox
          checked={part.position ?? false}
          onChange={(event) => onChange({ position: event.target.checked || undefined })}
        >
          可填入“我的位置”
        </Checkbox>
      </Form.Item>
    );
  const most = counted[type];
  if (most)
    return (
      <Form.Item label={most} htmlFor={`${id}-most`}>
        <NumberInput
          id={`${id}-most`}
          min={1}
          max={100}
          precision={0}
          value={part.max ?? null}
          onChange={(max) => onChange({ max: max ?? undefined })}
        />
      </Form.Item>
    );
  if (type !== fieldType.bool) return null;
  const { boolean_display: words } = part;
  return (
    <Form.Item label="显示为">
      <Space wrap>
        <Input
          aria-label="是的显示"
          maxLength={20}
          value={words.yes}
          onChange={(event) => onChange({ boolean_display: { ...words, yes: event.target.value } })}
        />
        <Input
          aria-label="否的显示"
          maxLength={20}
          value={words.no}
          onChange={(event) => onChange({ boolean_display: { ...words, no: event.target.value } })}
        />
      </Space>
    </Form.Item>
  );
}
