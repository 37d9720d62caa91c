import { download } from '#kernel/web/client.ts';
import { CallFailed } from '#kernel/web/failure.ts';
import { files } from '../../contract.ts';

/** The reason why a PDF did not open. The library fetches it by itself and loses the server's error, so its first bytes are fetched once more. */
export async function whyNotShown(
  { source, name, error }: { source: number | Blob; name: string; error: { name?: string } },
  signal: AbortSignal,
): Promise<string> {
  if (error.name === 'PasswordException') return `“${name}”设有打开密码，请下载后查看`;
  const undrawn = `“${name}”无法在线预览，请下载后查看`;
  if (typeof source !== 'number') return undrawn;
  const begun = new AbortController();
  signal.addEventListener('abort', () => begun.abort());
  const asked = { quiet: true, signal: begun.signal, onProgress: () => begun.abort() };
  return download(files.preview, { params: { id: source } }, asked).then(
    () => undrawn,
    (failed: unknown) => (failed instanceof CallFailed ? failed.msg : undrawn),
  );
}
