export { heldFiles } from './files/held.ts';
export { nameInNews, refuseForbiddenSecret } from './facts.ts';
export { followedDocuments } from './following.ts';
export { packingTask } from './archive/packing.ts';
export { packageModule, seesPackage } from './archive/shown.ts';
export { verifiedDocuments } from './verified.ts';
export {
  documentsOpenedBy,
  isOffice,
  isSecret,
  seen as seenDocument,
  seesFile,
  seesPast,
  type Opening,
} from './sight.ts';
export {
  headsOfDocuments,
  isThrough,
  ofDocuments,
  ofFoundDocuments,
  ofOpenDocuments,
  ofOwnDocuments,
  stateName,
  type DocumentHead,
} from './referring.ts';
export { linkedDocuments } from './linked.ts';
