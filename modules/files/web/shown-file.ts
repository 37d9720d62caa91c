import type { FileCard } from '../contract.ts';

export type ShownFile = Pick<FileCard, 'id' | 'name' | 'mime' | 'url'>;

export const isImage = (mime: string) => mime.startsWith('image/');

/** Where a file opens: pictures and PDF beside the page, anything else as a download. */
export function addressOfFile(file: ShownFile): string {
  const opens = file.mime === '' || isImage(file.mime) || file.mime === 'application/pdf';
  return opens ? file.url : file.url.replace('/preview/', '/');
}
