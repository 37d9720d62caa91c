export { distribute } from './giving/distributing.ts';
export { checkRecipients, meant } from './giving/recipients.ts';
export { receivedDocuments } from './visibility.ts';
