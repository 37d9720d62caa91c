export { recordFinder } from './web/finder.ts';
export { RecordForm } from './web/RecordForm.tsx';
export { approvalListColumns, RecordList, type Opened } from './web/RecordList.tsx';
export { headOf, RecordPage } from './web/RecordPage.tsx';
export { NumberBook } from './web/NumberBook.tsx';
