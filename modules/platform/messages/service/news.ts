import { newsLevel, newsType } from '../contract.ts';
import { newsKinds } from '../contract/kinds.ts';

export const messageNews = newsKinds({
  module: 'messages',
  type: newsType.notice,
  group: '通知公告',
  kinds: {
    NOTICE: { name: '通知公告', head: '通知', page: (id) => `/msg?notice=${id}` },
    CHASE: {
      name: '通知待确认提醒',
      head: '请确认收到',
      level: newsLevel.important,
      page: (id) => `/msg?notice=${id}`,
      again: 'always',
    },
    DIGEST: {
      name: '每日待办汇总',
      head: '今日待办',
      type: newsType.toDo,
      group: '待办',
      page: () => '/index',
      again: 'never',
    },
  },
});

/** The wording of urging people about their tasks, for all records: one choice in the settings. */
export const urging = {
  name: '有人催办',
  head: '请尽快办理',
  type: newsType.toDo,
  level: newsLevel.important,
  group: '待办',
} as const;

/** Changes to somebody's account, so that they can report a change that is not theirs. */
export const accountNews = newsKinds({
  module: 'people',
  type: newsType.system,
  group: '账号安全',
  page: () => '/user/profile',
  own: true,
  kinds: {
    NEW_DEVICE_LOGIN: account('我的账号在新设备上登录', '您的账号在新设备上登录'),
    PWD_RESET: account('我的密码被重置', '您的登录密码已被重置'),
    PHONE_CHANGED: account('我的手机号、找回密码的邮箱有变动', '您账号的手机号、邮箱有变动'),
    SECOND_STEP: account('我的二次验证有变动', '您的二次验证有变动'),
    WECHAT: { ...account('我的微信绑定有变动', '您账号的微信绑定有变动'), ways: [] },
    HANDED_OVER: account('事项移交', '事项移交'),
    ROLE_ENDS: { name: '我的角色即将到期、已到期', head: '您的角色到期' },
    OTHERS_ROLE_ENDED: {
      name: '我管理的用户角色已到期',
      head: '用户的角色已到期',
      page: () => '/system/user',
      own: false,
    },
  },
});

/** Urgent messages go by text message to people who chose nothing. */
function account(name: string, head: string) {
  return { name, head, level: newsLevel.important, ways: ['sms', 'push'] } as const;
}
