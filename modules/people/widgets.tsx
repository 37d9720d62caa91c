export { DeptPicker } from './web/DeptPicker.tsx';
export { DeptTree } from './web/DeptTree.tsx';
export { PersonPicker, type PersonPickerProps } from './web/PersonPicker.tsx';
export { RoleMembers } from './web/RoleMembers.tsx';
