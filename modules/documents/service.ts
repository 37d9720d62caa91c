export { followedDocuments } from './following.ts';
export { linkedDocuments } from './linked.ts';
export { isSecret, seesFile } from './sight.ts';
