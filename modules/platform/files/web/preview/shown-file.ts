import type { FileCard } from '../../contract.ts';

export type ShownFile = Pick<FileCard, 'id' | 'name' | 'mime' | 'url'> & { size?: number; thumb_url?: string | null };

export const isImage = (mime: string) => mime.startsWith('image/');

/** The address that opens a file in a window of its own, valid for minutes: pictures and PDF are shown, others saved. */
export function addressOfFile(file: ShownFile): string {
  const seen = file.mime === '' || isImage(file.mime) || file.mime === 'application/pdf';
  return seen ? file.url : file.url.replace('/preview/', '/');
}

export function sizeText(bytes: number): string {
  return bytes >= 2 ** 20 ? `${(bytes / 2 ** 20).toFixed(1)} MB` : `${Math.ceil(bytes / 1024)} KB`;
}
