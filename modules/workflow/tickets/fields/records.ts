import { invalid, type FieldError } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { linkModule, type Card } from '#modules/platform/links/service.ts';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition, Field } from '#modules/workflow/workflows/engine/definition.ts';
import type { TicketState } from '../engine/state.ts';

type Form = TicketState['form'];
const idsIn = (field: Field, form: Form): number[] => (form[field.key] as number[] | null | undefined) ?? [];

/** By the key of each record field: those of its records that the viewer sees, in the order chosen. */
export async function recordsIn(
  tx: Db,
  fields: readonly Field[],
  form: Form,
  viewer: Viewer,
): Promise<Map<string, Card[]>> {
  const found = new Map<string, Card[]>();
  for (const field of fields) {
    const ids = field.type === fieldType.records ? idsIn(field, form) : [];
    if (ids.length === 0) continue;
    const seen = await linkModule(tx, field.module ?? '')?.seen(tx, viewer, ids);
    found.set(
      field.key,
      ids.flatMap((id) => seen?.get(id) ?? []),
    );
  }
  return found;
}

/** Nobody may choose a record they do not see, because the form would reveal it to others. Throws `invalid` at the fields. */
export async function refuseUnseenRecords(
  tx: Db,
  { fields }: Definition,
  { before, after }: { before: Form; after: Form },
  viewer: Viewer,
): Promise<void> {
  const chosen = fields.filter(({ type }) => type === fieldType.records);
  const fresh = chosen.map((field) => {
    const had = new Set(idsIn(field, before));
    return { ...field, ids: idsIn(field, after).filter((id) => !had.has(id)) };
  });
  const errors: FieldError[] = [];
  for (const { key, name, module, ids } of fresh) {
    if (ids.length === 0) continue;
    const seen = await linkModule(tx, module ?? '')?.seen(tx, viewer, ids);
    if (ids.some((id) => !seen?.has(id)))
      errors.push({ field: key, label: name, msg: '所选事项已不存在，或您看不到它，请重新选择' });
  }
  if (errors.length > 0) throw invalid(errors);
}
