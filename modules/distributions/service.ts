export { distribute } from './distributing.ts';
export { checkRecipients, meant } from './recipients.ts';
export { receivedDocuments } from './sight.ts';
