export { followedDocuments } from './following.ts';
export { linkedDocuments } from './linked.ts';
export { seesFile } from './sight.ts';
