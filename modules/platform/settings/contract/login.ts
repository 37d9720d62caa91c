import { z } from 'zod';
import { rules, type RuleValue } from '#kernel/contract/rules.ts';
import { choice, field } from '#kernel/contract/titles.ts';
import { addressRange } from '#kernel/contract/shapes.ts';

/** The people who need a second step at sign-in; those who have set one up always do. */
export const secondStepFor = { 0: '自愿开启', 1: '管理员必须', 2: '所有人必须' } as const;

/** Rules of signing in. */
export const loginRules = rules({
  key: 'login',
  title: '登录设置',
  shape: {
    dengbao: z.boolean().meta(
      field('等保模式', {
        group: '密码',
        help: '开启后密码须含 3 类字符、90 天更换，允许失败最多 5 次，失败至少计 10 分钟，登录保持不超过 12 小时，管理员须二次验证；更严的设置保持不变',
      }),
    ),
    pwd_min: z.int().min(8).max(32).meta(field('密码最短位数')),
    pwd_classes: z
      .int()
      .min(0)
      .max(4)
      .meta(field('密码字符种类', { help: '大写、小写、数字、符号中至少几类，0 为不限' })),
    /** 0: never expires. */
    pwd_expire_days: z
      .int()
      .min(0)
      .max(365)
      .meta(field('密码有效天数', { help: '到期后登录须先修改密码，0 为长期有效' })),
    pwd_history: z.int().min(0).max(24).meta(field('不能与最近几次相同')),
    max_fail: z
      .int()
      .min(3)
      .max(20)
      .meta(
        field('允许失败次数', {
          group: '登录失败',
          help: '达到后，每次登录都须完成最费时的安全校验；登录过的设备各自计数',
        }),
      ),
    lock_min: z
      .int()
      .min(1)
      .max(1440)
      .meta(field('失败计数分钟数', { help: '这段时间内的失败一起计算' })),
    captcha_after: z.int().min(1).max(10).meta(field('几次失败后安全校验')),
    session_hours: z
      .int()
      .min(1)
      .max(720)
      .meta(field('登录保持小时数', { group: '登录状态', help: '从最后一次使用算起' })),
    single_session: z.boolean().meta(field('只允许一处登录', { help: '新登录会使其他设备退出' })),
    second_step: choice('二次验证', secondStepFor, {
      help: '登录后再填写手机验证器上的动态码；已经登录的，下次登录时要求',
    }),
    phone_login: z.boolean().meta(field('手机验证码登录', { group: '登录方式' })),
    sso_enabled: z.boolean().meta(field('单点登录')),
    sso_only: z.boolean().meta(field('只允许单点登录')),
    allow_register: z
      .boolean()
      .meta(field('首次单点登录建号', { help: '工号在本系统没有账号时自动新增，只有基本权限；不开启则拒绝登录' })),
    wechat_enabled: z.boolean().meta(field('微信登录')),
    forgot_password: z.boolean().meta(
      field('自助找回密码', {
        help: '在登录页用登记的手机号或本人验证过的邮箱重设密码；须设置短信或邮件接口，停用的账号、内置管理员和只用单点登录的账号除外；“只允许单点登录”时只有超级管理员可用，从备份恢复的副本中不可用',
      }),
    ),
    ip_whitelist: z
      .array(addressRange)
      .max(100)
      .meta(field('允许登录的地址', { help: '每行一个地址或网段，例如 10.0.0.0/8；不填则不限' })),
    // The law on network security requires half a year.
    log_keep_days: z
      .int()
      .min(180, '至少保留 180 天')
      .max(3650)
      .meta(field('操作日志保留天数', { group: '操作日志', help: '不到这个天数的记录不能清除，至少 180 天' })),
  },
  defaults: {
    dengbao: false,
    pwd_min: 8,
    pwd_classes: 0,
    pwd_expire_days: 0,
    pwd_history: 5,
    max_fail: 5,
    lock_min: 15,
    captcha_after: 3,
    session_hours: 12,
    single_session: false,
    second_step: 0,
    phone_login: false,
    sso_enabled: false,
    sso_only: false,
    allow_register: false,
    wechat_enabled: false,
    forgot_password: true,
    ip_whitelist: [],
    log_keep_days: 180,
  },
});
export type LoginValue = RuleValue<typeof loginRules>;
