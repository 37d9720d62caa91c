export { followedDocuments } from './following.ts';
export { seesFile } from './sight.ts';
