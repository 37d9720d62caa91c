export { AudienceInput } from './web/AudienceInput.tsx';
export { DeptPicker } from './web/depts/DeptPicker.tsx';
export { deptFilter } from './web/depts/dept-filter.tsx';
export { DeptTree } from './web/depts/DeptTree.tsx';
export { PersonPicker, type PersonPickerProps } from './web/PersonPicker.tsx';
export { useAddressee, writingTo } from './web/addressee.ts';
export { ReceiptMatrix } from './web/ReceiptMatrix.tsx';
