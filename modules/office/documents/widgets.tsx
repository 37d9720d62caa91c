export { DocumentPage } from './web/DocumentPage.tsx';
export { Trace } from './web/record/Trace.tsx';
export { DocumentSheet } from './web/show/DocumentSheet.tsx';
