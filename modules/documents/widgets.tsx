export { DocumentSheet } from './web/show/DocumentSheet.tsx';
