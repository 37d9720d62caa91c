import { TreeSelect } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { lookups } from '../contract/lookups.ts';
import { deptNodes } from './dept-nodes.ts';

interface Common {
  id?: string | undefined;
  disabled?: boolean | undefined;
  placeholder?: string;
  /** Only departments of my own data scope. */
  managed?: boolean;
  'aria-invalid'?: 'true' | undefined;
  'aria-describedby'?: string | undefined;
}
export type DeptPickerProps = Common &
  (
    | {
        multiple?: false;
        value?: number | null | undefined;
        onChange?: ((value: number | null) => void) | undefined;
      }
    | { multiple: true; value?: readonly number[] | undefined; onChange?: ((value: number[]) => void) | undefined }
  );

/** Picks departments from their tree; searches by name. */
export function DeptPicker(props: DeptPickerProps) {
  const { id, disabled, placeholder = '请选择部门', managed, multiple, value } = props;
  const { data = [], isPending } = useCall(managed ? lookups.managedDepts : lookups.simpleDepts, {});
  return (
    <TreeSelect
      id={id}
      className="kit-wide"
      disabled={disabled ?? false}
      placeholder={placeholder}
      aria-label={id ? undefined : placeholder}
      allowClear
      multiple={multiple ?? false}
      aria-invalid={props['aria-invalid']}
      aria-describedby={props['aria-describedby']}
      showSearch={{ treeNodeFilterProp: 'name' }}
      loading={isPending}
      treeDefaultExpandAll={data.length <= 50}
      fieldNames={{ label: 'name', value: 'id', children: 'children' }}
      treeData={deptNodes(data) as never}
      value={(multiple ? [...(value ?? [])] : value || undefined) as never}
      onChange={(next: unknown) =>
        (props.onChange as ((value: unknown) => void) | undefined)?.(multiple ? next : (next ?? null))
      }
    />
  );
}
