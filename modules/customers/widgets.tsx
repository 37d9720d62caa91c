export { CustomerPicker } from './web/inputs.tsx';
export { default as ProjectDetail } from './web/ProjectDetail.tsx';
export { default as ProjectsPage } from './web/ProjectPage.tsx';
