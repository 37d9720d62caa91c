import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';

export { FileLinks } from './web/FileLinks.tsx';
export { FilesField } from './web/FilesField.tsx';
export { FilesInput } from './web/FilesInput.tsx';
export { FileUsage } from './web/FileUsage.tsx';
export { createTransfer, rest } from './web/transfer.ts';

/** See `PdfDrawer`; the reader of PDF comes when it is wanted. */
export const PdfDrawer = later(() => patiently(() => import('./web/preview/PdfDrawer.tsx')));
/** See `PdfPages`: a PDF to scroll through in a place of the page. */
export const PdfPages = later(() => patiently(() => import('./web/preview/PdfPages.tsx')));
