import { straight } from '#modules/workflow/workflows/engine/straight.ts';

/** 制度发布审批: head of department, office, leader in charge; then the paper is in force. */
export const publishing = {
  key: 'folder_publishing',
  name: '制度发布审批',
  description: '制度文件发布前的审批',
  icon: 'AuditOutlined',
  category: '制度文件',
  module: 'folders',
  intervene: ['office_admin'],
  definition: straight({
    name: '制度发布审批',
    end: '发布',
    steps: [
      { key: 'head', name: '部门负责人审核', variable: 'dept_fzr' },
      { key: 'office', name: '办公室审核', roles: ['office_admin'] },
      { key: 'leader', name: '分管领导审批', variable: 'dept_ld', agree: '同意并发布' },
    ],
    prefix: 'FOL',
  }),
};
