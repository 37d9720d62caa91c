import { download } from '#kernel/web/client.ts';
import { files } from '../../contract.ts';

/** The thumbnail of a picture, for a signed-in person. */
export async function fetchThumb(id: number, signal: AbortSignal): Promise<Blob> {
  const found = await download(files.preview, { params: { id }, query: { thumb: true } }, { signal, quiet: true });
  if (!found) throw new Error('no picture came');
  return found.blob;
}
