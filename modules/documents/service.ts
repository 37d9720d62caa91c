export { followedDocuments } from './following.ts';
export { isSecret, seesFile } from './sight.ts';
