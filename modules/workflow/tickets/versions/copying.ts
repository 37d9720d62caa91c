import type { ReplyOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { fieldType, isFileType } from '#modules/workflow/workflows/engine/codes.ts';
import { startOf, type Field } from '#modules/workflow/workflows/engine/definition.ts';
import { openTo, seenBy } from '../commands/commands.ts';
import type { tickets } from '../contract.ts';
import { cannotCopy } from '../contract/refusals.ts';
import { namedIn } from '../engine/fields.ts';
import { isWritable, rightIn, type Columns } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { readValue } from '../engine/form/values.ts';
import { namesFor, namesOf } from '../store/names.ts';
import { mayCopy } from '../read/detail.ts';
import { sightOf } from '../visibility/delegation.ts';

type Copy = ReplyOf<typeof tickets.copy>;

/**
 * The values of somebody's earlier ticket for a new one of the present workflow: fields that still exist and fit. Files belong to their ticket and
 * must be uploaded anew.
 */
export async function copyOf(tx: Db, user: Viewer, id: number): Promise<Copy> {
  const stored = await seenBy(tx, user, id, false);
  if (!mayCopy(stored, user.id)) throw cannotCopy();
  const { version } = await openTo(tx, user, stored.version.workflow_id, null);
  const { definition } = version;
  const start = startOf(definition);
  const saw = sightOf(stored, stored.reader);
  const taken = definition.fields.flatMap((field): [Field, unknown][] => {
    const value = stored.state.form[field.key] ?? null;
    const right = rightIn(start, field);
    const seen = saw.get(field.key);
    if (value === null || !isWritable(right.access) || !seen || field.formula || isFileType(field.type)) return [];
    const read = readValue(field, own(field, value, seen.columns, right.columns), {
      columns: right.columns,
      before: [],
    });
    return 'msg' in read || read.value === null ? [] : [[field, read.value]];
  });
  const named = taken.flatMap(([field, value]) => namedIn(field, value));
  return {
    workflow_id: version.workflow_id,
    values: Object.fromEntries(taken.map(([field, value]) => [field.key, value])),
    people: namesOf(named, await namesFor(tx, named)),
    left: definition.fields.filter((field) => isFileType(field.type) && stored.state.form[field.key] != null).length,
  };
}

/** The cells of a table's rows that their author sees and may fill in again, without files. */
function own({ type, columns }: Field, value: unknown, saw: Columns, writes: Columns): unknown {
  if (type !== fieldType.table || !Array.isArray(value)) return value;
  const taken = columns.filter((column) => saw.has(column.key) && isWritable(writes.get(column.key)));
  const keys = new Set(taken.filter((column) => !isFileType(column.type)).map((column) => column.key));
  return value.map((row: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => keys.has(key))),
  );
}
