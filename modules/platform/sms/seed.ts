import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
import { smsType } from './contract/labels.ts';
import { codeTemplate, meetingTemplate, messageTemplate } from './service.ts';
import { seedTemplates } from './templates/templates.ts';

export const menus: MenuSeed[] = [
  { key: 'sms', title: '短信', path: '/sms', icon: 'MessageOutlined', order: 820, heading: true },
  {
    key: 'sms/send',
    parent: 'sms',
    title: '发送短信',
    path: 'send',
    icon: 'SendOutlined',
    order: 810,
    codes: ['Create', 'Retrieve', 'Update'],
  },
  {
    key: 'sms/logs',
    parent: 'sms',
    title: '短信日志',
    path: 'logs',
    icon: 'UnorderedListOutlined',
    order: 820,
    codes: ['Retrieve', 'chuli', 'daochu'],
  },
  {
    key: 'sms/template',
    parent: 'sms',
    title: '短信模板',
    path: 'template',
    icon: 'SnippetsOutlined',
    order: 830,
    codes: ['Create', 'Retrieve', 'Update', 'Delete'],
  },
];

const system = {
  [codeTemplate]: {
    name: '短信验证码',
    content: '验证码 {code}，用于{scene}，{minutes} 分钟内有效，请勿告诉他人。',
    type: smsType.code,
  },
  [messageTemplate]: { name: '消息提醒', content: '您有一条新消息：{title}，请登录系统查看。', type: smsType.notice },
  [meetingTemplate]: {
    name: '会议通知（校外人员）',
    content: '邀请您参加《{title}》，时间 {time}，地点 {place}。',
    type: smsType.notice,
  },
} as const;

/** Adds the system's own templates if they are missing. */
export const seedSms = (tx: Db): Promise<void> => seedTemplates(tx, system);
