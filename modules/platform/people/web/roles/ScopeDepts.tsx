import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { DeptPicker } from '../depts/DeptPicker.tsx';

/** Chooses the departments a role reaches. */
export function ScopeDepts({ value, onChange, ...control }: FieldControl) {
  return <DeptPicker {...control} multiple value={(value as number[] | undefined) ?? []} onChange={onChange} />;
}
