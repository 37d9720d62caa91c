export { DocumentSheet } from './web/DocumentSheet.tsx';
