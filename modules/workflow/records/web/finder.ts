import type { Calls } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/client.ts';
import type { Finder, Found } from '#kernel/web/registry.ts';

/** Finds records for the palette through their list. */
export const recordFinder =
  <Row extends { id: number; title: string }>(
    call: Calls[string],
    { noun, page, sn, query = {} }: { noun: string; page: string; sn?: (row: Row) => string; query?: object },
  ): Finder =>
  async (search_value, signal): Promise<Found[]> => {
    const asked = { query: { ...query, search_value, per_page: 8 } };
    const { value } = (await send(call, asked, { signal, quiet: true })) as { value: Row[] };
    return value.map((row) => ({
      key: `${page}/${row.id}`,
      title: row.title,
      hint: `${noun} ${sn?.(row) ?? ''}`.trim(),
      to: `${page}/${row.id}`,
    }));
  };
