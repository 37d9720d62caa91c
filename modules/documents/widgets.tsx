export { DocumentPage } from './web/DocumentPage.tsx';
export { DocumentSheet } from './web/show/DocumentSheet.tsx';
