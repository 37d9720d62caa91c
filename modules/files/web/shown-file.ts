import type { FileCard } from '../contract.ts';

export type ShownFile = Pick<FileCard, 'id' | 'name' | 'mime' | 'url'> & { size?: number; thumb_url?: string | null };

export const isImage = (mime: string) => mime.startsWith('image/');

/** Where a file is saved from, some minutes. */
export const downloadAddress = (file: ShownFile) => file.url.replace('/preview/', '/');

export function sizeText(bytes: number): string {
  return bytes >= 2 ** 20 ? `${(bytes / 2 ** 20).toFixed(1)} MB` : `${Math.ceil(bytes / 1024)} KB`;
}
