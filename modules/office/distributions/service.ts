export { distribute } from './giving/distributing.ts';
export { receivedDocuments } from './visibility.ts';
