export { paperRecords as followedPapers } from './papers/approving.ts';
export { outdatedIn } from './papers/cited.ts';
export { paperFrom, paperOf } from './papers/from-document.ts';
export { linkedPapers } from './papers/linked.ts';
export { paperViewerOf as lookerOf, seesPaper } from './categories/visibility.ts';
