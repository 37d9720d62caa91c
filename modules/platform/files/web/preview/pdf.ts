import { getDocument, GlobalWorkerOptions, type PDFDocumentLoadingTask } from 'pdfjs-dist/legacy/build/pdf.mjs';
// oxlint-disable-next-line import/default -- the bundler gives the address of the file
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { addressOf } from '#kernel/web/client.ts';
import { token } from '#kernel/web/token.ts';
import { files } from '../../contract.ts';

// Chinese documents often encode their characters by one of these tables and embed no font.
const tables = import.meta.glob<string>(
  '/../../node_modules/pdfjs-dist/cmaps/{Adobe-GB1,Adobe-CNS1,GB,Uni,B5,ETen,HKscs,Identity}*.bcmap',
  { query: '?url&no-inline', import: 'default' },
);
const tableOf = new Map(Object.entries(tables).map(([path, address]) => [path.split('/').at(-1)!, address]));

/** Gives the library its tables from our own bundle only. */
class OwnTables {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const address = kind === 'cMapUrl' ? await tableOf.get(filename)?.() : undefined;
    if (!address) throw new Error(`no ${kind} ${filename} here`);
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

/** Opens a file by its id, loading pages as needed, or bytes already present. */
export async function openPdf(source: number | Blob): Promise<PDFDocumentLoadingTask> {
  GlobalWorkerOptions.workerSrc = workerUrl;
  const from =
    typeof source === 'number'
      ? {
          url: new URL(addressOf(files.preview, { params: { id: source } }), location.origin).href,
          httpHeaders: { Authorization: `JWT ${token()}` },
          disableAutoFetch: true,
          disableStream: true,
        }
      : { data: new Uint8Array(await source.arrayBuffer()) };
  return getDocument({
    ...from,
    BinaryDataFactory: OwnTables,
    cMapUrl: 'own/',
    useWorkerFetch: false,
    // Compiling WebAssembly would need a looser content security policy.
    useWasm: false,
    enableXfa: false,
    disableWorkerRendering: true,
    maxImageSize: 64_000_000,
    verbosity: 0,
  });
}
