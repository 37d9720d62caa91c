import type { ShownFile } from './preview/shown-file.ts';

// A draft's: gone with those of whoever signs in next.
const key = 'draft:files';
const most = 200;
export type Remembered = Pick<ShownFile, 'id' | 'name' | 'mime' | 'size'>;

function kept(): Remembered[] {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? '[]') as Remembered[];
    return Array.isArray(found) ? found.filter((one) => typeof one.name === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps what a file is called that was sent with a form which is not: a draft holds numbers alone. */
export function rememberFile({ id, name, mime, size }: Remembered): void {
  try {
    const others = kept().filter((one) => one.id !== id);
    localStorage.setItem(key, JSON.stringify([...others, { id, name, mime, size }].slice(-most)));
  } catch {
    // A full storage costs the name, not the file.
  }
}

/** A file of a restored draft, as this browser remembers it. */
export function rememberedFile(id: number): ShownFile {
  const found = kept().find((one) => one.id === id);
  return { name: '已上传的文件', mime: '', ...found, id, url: `/api/file/${id}/preview/` };
}

/** The files that are named in what was typed, as far as this browser remembers them. */
export function rememberedIn(values: Record<string, unknown>): Remembered[] {
  const ids = new Set(Object.values(values).filter(Array.isArray).flat());
  return kept().filter(({ id }) => ids.has(id));
}
