export { AudienceInput } from './web/picking/AudienceInput.tsx';
export { DeptPicker } from './web/depts/DeptPicker.tsx';
export { deptFilter } from './web/depts/dept-filter.tsx';
export { DeptTree } from './web/depts/DeptTree.tsx';
export { PersonPicker, type PersonPickerProps } from './web/picking/PersonPicker.tsx';
export { useAddressee, writingTo } from './web/addressee.ts';
export { useCards } from './web/picking/use-cards.ts';
export { ReceiptMatrix } from './web/ReceiptMatrix.tsx';
