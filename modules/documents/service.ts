export { heldFiles } from './files/held.ts';
export { followedDocuments } from './following.ts';
export { seesFile } from './sight.ts';
