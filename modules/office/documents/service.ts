export { bodiesOf, readLater } from './bodies/known.ts';
export { compareBodies } from './engine/compare.ts';
export { heldFiles } from './files/held.ts';
export { documentFilesRule } from './files/owner-rule.ts';
export { nameInNews, refuseForbiddenSecret } from './rules/facts.ts';
export { docs, type Opening } from './record/record.ts';
export { isOut, stateName } from './rules/standing.ts';
export { noteGiven } from './signing/issuing.ts';
export type { DraftDocument } from './record/draft.ts';
export { packingTask } from './archive/packing.ts';
export { packageModule, seesPackage } from './archive/shown.ts';
export { verifiedDocuments } from './verify/verified.ts';
export { isOffice } from './visibility/office.ts';
export { isSecret, seen as seenDocument, seesFile, seesPast } from './visibility/visibility.ts';
export {
  headsOfDocuments,
  ofDocuments,
  ofFoundDocuments,
  ofOpenDocuments,
  ofOwnDocuments,
  type DocumentHead,
} from './record/summaries.ts';
export type { Adopted, PaperKeeper } from './replies/papers.ts';
