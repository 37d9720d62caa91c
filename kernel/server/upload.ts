import { fileTypeFromBuffer } from 'file-type';
import { fileEmpty, fileMismatch, fileNotAllowed } from '../contract/upload.ts';
import type { FileKind } from '../contract/upload.ts';
import { cleanFileName, fileEnding } from './file-name.ts';
import { listArchive } from './sheet-archive.ts';

export interface AcceptedFile {
  /** Safe to show and to send in a header. */
  name: string;
  ext: FileKind;
  /** Decided here by the ending, never taken from the one who sent the file. */
  mime: string;
}

const mimes: Record<FileKind, string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  pdf: 'application/pdf',
};

/**
 * Checks that a file is what its name says and that this kind is allowed; gives its cleaned name and its type. The bytes
 * stay as they are: pictures that are shown to others go through `acceptImage`. Throws the `fileRefusals` of
 * `contract/upload.ts`.
 */
export async function acceptFile(bytes: Buffer, name: string, allow: readonly FileKind[]): Promise<AcceptedFile> {
  const clean = cleanFileName(name);
  const ext = allow.find((kind) => kind === fileEnding(clean));
  if (!ext) throw fileNotAllowed(clean, allow);
  if (bytes.length === 0) throw fileEmpty();
  const matches = ext === 'xlsx' ? isWorkbook(bytes) : await startsAs(bytes, ext);
  if (!matches) throw fileMismatch(clean);
  return { name: clean, ext, mime: mimes[ext] };
}

async function startsAs(bytes: Buffer, ext: FileKind): Promise<boolean> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  // An archive may stand behind anything, and reads from its end: such a file is two files at once.
  return found?.mime === mimes[ext] && !endsAsArchive(bytes);
}

function endsAsArchive(bytes: Buffer): boolean {
  return bytes.subarray(-65_557).includes('PK\x05\x06', 0, 'latin1');
}

function isWorkbook(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))) return false;
  try {
    const names = listArchive(bytes).map((entry) => entry.name);
    return names.includes('[Content_Types].xml') && names.includes('xl/workbook.xml');
  } catch {
    return false;
  }
}
