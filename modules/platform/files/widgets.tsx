import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';

export { FileLinks, KeptFiles } from './web/FileLinks.tsx';
export { FilesField } from './web/FilesField.tsx';
export { FilesInput } from './web/FilesInput.tsx';
export { FileUsage } from './web/FileUsage.tsx';
export { createTransfer, rest } from './web/transfer.ts';
export { useUpload } from './web/useUpload.ts';

/** See `PdfDrawer`; the PDF library is loaded when needed. */
export const PdfDrawer = later(() => patiently(() => import('./web/preview/PdfDrawer.tsx')));
/** See `PdfPages`: a scrollable PDF within the page. */
export const PdfPages = later(() => patiently(() => import('./web/preview/PdfPages.tsx')));
