export { DeptPicker } from './web/DeptPicker.tsx';
export { DeptTree } from './web/DeptTree.tsx';
export { PersonPicker } from './web/PersonPicker.tsx';
export { RoleMembers } from './web/RoleMembers.tsx';
