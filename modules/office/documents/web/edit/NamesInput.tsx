import { Select } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';

/** Typed names in order; text before a separator becomes a name at once. */
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
