import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { FilesInput, type FilesInputProps } from './FilesInput.tsx';

interface Props extends Omit<FilesInputProps, 'id' | 'value' | 'onChange' | 'disabled' | 'aria-describedby'> {
  control: FieldControl;
  /** The field's value is the id of one file, not a list. */
  one?: boolean;
}

/** Files as a field of a form. */
export function FilesField({ control, one, max, ...more }: Props) {
  const { id, value, onChange, disabled } = control;
  const ids = one ? [value].filter((file) => typeof file === 'number') : ((value as number[] | null | undefined) ?? []);
  return (
    <FilesInput
      {...more}
      id={id}
      disabled={disabled}
      aria-describedby={control['aria-describedby']}
      max={one ? 1 : max}
      value={ids}
      onChange={(next) => onChange?.(one ? (next[0] ?? null) : next)}
    />
  );
}
