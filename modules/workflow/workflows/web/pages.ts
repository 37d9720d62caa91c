import type { Pages } from '#kernel/web/registry.ts';

export const pages: Pages = {
  'workflow/list': () => import('./list/WorkflowListPage.tsx'),
  'workflow/design': () => import('./designer/DesignerPage.tsx'),
  'workflow/group': () => import('./notice/GroupPage.tsx'),
  'workflow/notice': () => import('./notice/NoticePage.tsx'),
};
