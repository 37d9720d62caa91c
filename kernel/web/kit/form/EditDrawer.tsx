import type { Calls, ReplyOf } from '#kernel/contract/call.ts';
import type { CallFormProps } from './CallForm.tsx';
import type { FormField } from './FieldInput.tsx';
import { FormDrawer } from './FormDrawer.tsx';

type AnyCall = Calls[string];
interface Edited {
  id: number | string;
  version?: number;
}

export interface EditDrawerProps<Row extends Edited, C extends AnyCall> {
  /** The noun for a row: 按钮. */
  noun: string;
  /** The key of drafts: `button`. */
  name: string;
  /** The row to change, `new` for a new one; null while the drawer is closed. */
  open: Row | 'new' | null;
  onClose: () => void;
  titleOf: (row: Row) => string;
  add: C;
  change: AnyCall;
  fields: readonly FormField[] | ((row: Row | null) => readonly FormField[]);
  /** The initial values of a new row, and values that are sent with it and no field shows. */
  initial?: Record<string, unknown>;
  also?: Record<string, unknown>;
  /** The initial values of the form for a row; the row itself unless given. */
  valuesOf?: (row: Row) => object;
  onAdded?: (reply: ReplyOf<C>) => void;
  onChanged?: (row: Row) => void;
  invalidates?: readonly string[];
  secret?: boolean;
}

/** The drawer that edits a row or creates one. */
export function EditDrawer<Row extends Edited, C extends AnyCall>(props: EditDrawerProps<Row, C>) {
  const { noun, name, open, onClose, titleOf, add, change, fields, initial, also, invalidates, secret } = props;
  const { valuesOf = (one: Row) => ({ ...one }), onAdded, onChanged } = props;
  const row = open === 'new' ? null : open;
  const shared = {
    open: open !== null,
    onClose,
    fields: typeof fields === 'function' ? fields(row) : fields,
    ...(invalidates ? { invalidates } : {}),
    ...(secret ? { secret } : {}),
  };
  if (row)
    return (
      <FormDrawer
        {...shared}
        key={`${row.id} ${row.version}`}
        title={`编辑${noun}“${titleOf(row)}”`}
        name={`${name}:${row.id}`}
        call={change}
        params={{ id: row.id }}
        initial={valuesOf(row) as Record<string, unknown>}
        also={{ version: row.version }}
        submit={`保存${noun}`}
        onDone={() => onChanged?.(row)}
      />
    );
  return (
    <FormDrawer<C>
      {...({
        ...shared,
        title: `新增${noun}`,
        name: `${name}:new`,
        call: add,
        initial: initial ?? {},
        also: also ?? {},
        submit: `新增${noun}`,
        onDone: (reply: ReplyOf<C>) => onAdded?.(reply),
      } as CallFormProps<C> & { title: string; open: boolean; onClose: () => void })}
    />
  );
}
