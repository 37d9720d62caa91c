export { outdatedIn } from './papers/cited.ts';
export { paperFrom, paperOf } from './papers/from-document.ts';
export { papers, viewerOf as paperViewerOf } from './papers/record.ts';
