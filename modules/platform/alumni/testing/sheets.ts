import { buffer } from 'node:stream/consumers';
import type { Client } from '#apps/server/testing.ts';
import { writeSheet } from '#kernel/server/export/sheet-writer.ts';

export interface Told {
  code: number;
  msg: string;
  data: {
    total: number;
    valid: number;
    imported: number;
    updated: number;
    errors: { row: number; field: string; msg: string }[];
  };
}

export function sheetOf(titles: readonly string[], lines: readonly (readonly string[])[]): Promise<Buffer> {
  const columns = titles.map((title, i) => ({
    title,
    kind: 'text' as const,
    value: (line: readonly string[]) => line[i] ?? '',
  }));
  return buffer(writeSheet({ title: '校友', columns, rows: lines }));
}

export async function bringIn(client: Client, bytes: Buffer, dryRun = false, headers = {}): Promise<Told> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), '校友.xlsx');
  const response = await client.fetch(`/api/alumnus/import/?dry_run=${dryRun}`, {
    method: 'POST',
    body: form,
    headers,
  });
  return (await response.json()) as Told;
}
