import type { ShownFile } from './preview/shown-file.ts';

// A draft's: gone with those of whoever signs in next.
const key = 'draft:files';
const most = 200;
type Kept = Pick<ShownFile, 'id' | 'name' | 'mime' | 'size'>;

function kept(): Kept[] {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? '[]') as Kept[];
    return Array.isArray(found) ? found.filter((one) => typeof one.name === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps what a file is called that was sent with a form which is not: a draft holds numbers alone. */
export function rememberFile({ id, name, mime, size }: ShownFile): void {
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
