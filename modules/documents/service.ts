export { heldFiles } from './files/held.ts';
export { documentFilesRule } from './files/owner-rule.ts';
export { nameInNews, refuseForbiddenSecret } from './rules/facts.ts';
export { documentRecords } from './record/events.ts';
export { packingTask } from './archive/packing.ts';
export { packageModule, seesPackage } from './archive/shown.ts';
export { verifiedDocuments } from './verify/verified.ts';
export { isOffice, isSecret, seen as seenDocument, seesFile, seesPast, type Opening } from './visibility/visibility.ts';
export {
  headsOfDocuments,
  isThrough,
  ofDocuments,
  ofFoundDocuments,
  ofOpenDocuments,
  ofOwnDocuments,
  stateName,
  type DocumentHead,
} from './record/summaries.ts';
export { linkedDocuments } from './record/linked.ts';
