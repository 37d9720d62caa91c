import { customers } from './contract/customers.ts';
import { projects } from './contract/projects.ts';

export { default as CustomerDetail } from './web/CustomerDetail.tsx';
export { default as CustomersPage } from './web/CustomerPage.tsx';
export const customersCall = customers.list;
export { CustomerPicker } from './web/inputs.tsx';
export { default as ProjectDetail } from './web/ProjectDetail.tsx';
export { default as ProjectsPage } from './web/ProjectPage.tsx';
export const projectsCall = projects.list;
