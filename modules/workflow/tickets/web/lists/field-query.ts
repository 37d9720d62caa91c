import type { FieldFilter } from '#modules/workflow/workflows/contract.ts';

type Scalar = string | number | boolean;
/** The filter of a field: a value, or a range with one end or both. */
export type Wanted = Scalar | { gte?: Scalar | undefined; lte?: Scalar | undefined };
export type Asked = Partial<Record<string, Wanted | null>>;

/** The number of fields that may be filtered at once, as the call says. */
export const mostFields = 5;

/** Field filters from an address; empty if it cannot be parsed. */
export function read(text: string): Asked {
  try {
    const found: unknown = JSON.parse(text || '{}');
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Asked) : {};
  } catch {
    return {};
  }
}

/** The filters as text for the address: unused ones are left out, and none at all is the empty text. */
export function written(asked: Asked): string {
  const used = Object.entries(asked).filter(([, wanted]) =>
    typeof wanted === 'object' && wanted !== null
      ? wanted.gte !== undefined || wanted.lte !== undefined
      : wanted !== undefined && wanted !== null,
  );
  return used.length === 0 ? '' : JSON.stringify(Object.fromEntries(used));
}

/** Orders by the fields of a form: `-amount` is descending. */
export function ordersOf(fields: readonly FieldFilter[]): { value: string; label: string }[] {
  const ways = {
    number: ['从小到大', '从大到小'],
    date: ['从早到晚', '从晚到早'],
    datetime: ['从早到晚', '从晚到早'],
  } as const;
  return fields
    .filter((field) => field.sortable)
    .flatMap(({ field_key, field_name, filter }) => {
      const [up, down] = (ways as Partial<Record<string, readonly [string, string]>>)[filter] ?? ['升序', '降序'];
      return [
        { value: field_key, label: `按${field_name}${up}` },
        { value: `-${field_key}`, label: `按${field_name}${down}` },
      ];
    });
}
