import { Select } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';

/** Names by hand, in their order; what stands before a mark between names is one at once. */
export function NamesInput({ control, placeholder }: { control: FieldControl; placeholder: string }) {
  const { onChange, value, ...rest } = control;
  return (
    <Select
      {...(rest as object)}
      mode="tags"
      className="kit-wide"
      open={false}
      suffixIcon={null}
      tokenSeparators={['、', '，', ',', '；', ';']}
      placeholder={placeholder}
      value={(value as string[] | undefined) ?? []}
      onChange={(names: string[]) => onChange?.(names.map((name) => name.trim()).filter(Boolean))}
    />
  );
}
