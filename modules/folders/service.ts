export { paperRecords } from './papers/approving.ts';
export { outdatedIn } from './papers/cited.ts';
export { paperFrom, paperOf } from './papers/from-document.ts';
export { linkedPapers } from './papers/linked.ts';
export { paperViewerOf, seesPaper } from './categories/visibility.ts';
