import { Select } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';

/** Addresses and ranges, entered one by one. */
export function AddressList({ id, value, onChange, disabled }: FieldControl) {
  return (
    <Select
      id={id}
      mode="tags"
      className="kit-wide"
      open={false}
      suffixIcon={null}
      disabled={disabled}
      tokenSeparators={[',', '，', ' ', ';', '；', '\n']}
      placeholder="输入后按回车"
      value={(value as string[] | undefined) ?? []}
      onChange={(next: string[]) => onChange?.(next)}
    />
  );
}
