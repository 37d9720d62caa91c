import { open, stat } from 'node:fs/promises';
import { archiveTooBig, archiveUnsafe, fileEmpty, fileMismatch, fileNotAllowed } from '#kernel/contract/upload.ts';
import type { FileKind } from '#kernel/contract/upload.ts';
import { listArchiveFile } from '../export/archive.ts';
import { cleanFileName, fileEnding } from './file-name.ts';
import { ArchiveTooBig } from '../export/sheet-archive.ts';
import { encodingOf } from '../export/text-encoding.ts';

export interface AcceptedFile {
  /** Safe to show and to send in a header. */
  name: string;
  ext: FileKind;
  /** Determined by the ending here, never taken from the sender. */
  mime: string;
}

const openXml = 'application/vnd.openxmlformats-officedocument';
const mimes: Record<FileKind, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
  ofd: 'application/ofd',
  docx: `${openXml}.wordprocessingml.document`,
  xlsx: `${openXml}.spreadsheetml.sheet`,
  pptx: `${openXml}.presentationml.presentation`,
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  wps: 'application/vnd.ms-works',
  txt: 'text/plain',
  csv: 'text/csv',
  zip: 'application/zip',
};

/** Parts that an archive of each kind must contain. */
const parts: Partial<Record<FileKind, readonly string[]>> = {
  docx: ['[Content_Types].xml', 'word/document.xml'],
  xlsx: ['[Content_Types].xml', 'xl/workbook.xml'],
  pptx: ['[Content_Types].xml', 'ppt/presentation.xml'],
  ofd: ['OFD.xml'],
  zip: [],
};
const compounds: readonly FileKind[] = ['doc', 'xls', 'ppt', 'wps'];
const bounds = { entries: 5000, unpacked: 2 ** 30 };
const textSample = 2 ** 20;

/**
 * Checks that a file is what its name says and that its kind is allowed; returns its cleaned name and its type. The bytes stay as they are: pictures
 * that others see go through `acceptImage`. Throws the refusals of files in `contract/upload.ts`.
 */
export async function acceptFile(path: string, name: string, allow: readonly FileKind[]): Promise<AcceptedFile> {
  const { name: clean, ext } = allowedName(name, allow);
  if ((await stat(path)).size === 0) throw fileEmpty();
  if (!(await isKind(path, ext, clean))) throw fileMismatch(clean);
  return { name: clean, ext, mime: mimes[ext] };
}

/** Returns the cleaned name and the kind, if the kind is allowed. Throws `fileNotAllowed`. */
export function allowedName(name: string, allow: readonly FileKind[]): { name: string; ext: FileKind } {
  const clean = cleanFileName(name);
  const ext = allow.find((kind) => kind === fileEnding(clean));
  if (!ext) throw fileNotAllowed(clean, allow);
  return { name: clean, ext };
}

async function isKind(path: string, ext: FileKind, name: string): Promise<boolean> {
  const needed = parts[ext];
  if (needed) return isArchive(path, needed, name);
  if (ext === 'txt' || ext === 'csv') return isText(path);
  const { fileTypeFromFile } = await import('file-type');
  const found = await fileTypeFromFile(path).catch(() => undefined);
  if (compounds.includes(ext)) return found?.mime === 'application/x-cfb';
  // A zip archive is read from its end and may follow any other content: such a file would be two files at once.
  return found?.mime === mimes[ext] && !(await ending(path)).includes('PK\x05\x06', 0, 'latin1');
}

async function isArchive(path: string, needed: readonly string[], name: string): Promise<boolean> {
  const entries = await listArchiveFile(path, bounds).catch((error: unknown) => {
    if (error instanceof ArchiveTooBig) throw archiveTooBig(name);
    return null;
  });
  if (!entries) return false;
  const names = new Set(entries.map((entry) => entry.name));
  if (entries.some((entry) => /(?:^|[/\\])\.\.(?:[/\\]|$)|^[/\\]|^[a-z]:|vbaproject\.bin$/i.test(entry.name)))
    throw archiveUnsafe(name);
  return names.size === entries.length && needed.every((one) => names.has(one));
}

async function isText(path: string): Promise<boolean> {
  const bytes = await beginning(path, textSample);
  return encodingOf(bytes, bytes.length < textSample) !== null;
}

async function beginning(path: string, length: number): Promise<Buffer> {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0).finally(() => file.close());
  return buffer.subarray(0, bytesRead);
}

async function ending(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, 65_557);
    return (await file.read(Buffer.alloc(length), 0, length, size - length)).buffer;
  } finally {
    await file.close();
  }
}
