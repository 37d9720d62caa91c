export { FileLinks } from './web/FileLinks.tsx';
export { FilesInput } from './web/FilesInput.tsx';
export { createTransfer } from './web/transfer.ts';
