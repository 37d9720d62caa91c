import type { ShownFile } from './preview/shown-file.ts';

// The prefix of drafts: deleted with them when somebody else signs in.
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

/** Stores the name of an uploaded file until its form is sent, because a draft only holds ids. */
export function rememberFile({ id, name, mime, size }: Remembered): void {
  try {
    const others = kept().filter((one) => one.id !== id);
    localStorage.setItem(key, JSON.stringify([...others, { id, name, mime, size }].slice(-most)));
  } catch {
    // If the storage is full, only the name is lost, not the file.
  }
}

/** A file of a restored draft, as stored in this browser. */
export function rememberedFile(id: number): ShownFile {
  const found = kept().find((one) => one.id === id);
  return { name: '已上传的文件', mime: '', ...found, id, url: `/api/file/${id}/preview/` };
}

/** The files of a form's values, also of those within others, as far as this browser stores them. */
export function rememberedIn(values: Record<string, unknown>): Remembered[] {
  const ids = new Set(listedIn(values));
  return kept().filter(({ id }) => ids.has(id));
}

/** Returns what stands in the lists of a value, at any depth. */
function listedIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value);
  return [...(Array.isArray(value) ? inner : []), ...inner.flatMap(listedIn)];
}
