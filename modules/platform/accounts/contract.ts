import { z } from 'zod';
import { call, everyone, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal, unfilled } from '#kernel/contract/refusal.ts';
import { done, id, idParams, line, name, phone, sixDigits, telephone, timestamp } from '#kernel/contract/shapes.ts';

/** The highest multiple of the least work that a proof costs: a browser solves it in a quarter of a minute. */
export const dearest = 16;
/** Required after the third failure; `data.challenge_needed` tells the client to fetch and solve one, `data.work` its cost. */
export const challengeNeeded = refusal(
  codes.tooMany,
  (_work: number) => '登录失败次数较多，请完成安全校验后再试',
  (work) => ({ challenge_needed: true, work }),
);
export const signInRefused = refusal(
  codes.refused,
  (work: number) => (work > 0 ? '用户名或密码不正确，再次登录需要安全校验' : '用户名或密码不正确'),
  (work) => ({ challenge_needed: work > 0, work }),
);
export const wrongCode = refusal(codes.refused, () => '验证码不正确或已失效，请重新获取');
export const closedWay = refusal(codes.refused, (way: string) => `${way}登录未开放，请使用其他方式登录`);
export const noTexts = refusal(
  codes.refused,
  () => '还没有设置短信服务商，验证码无法发出，请使用其他方式登录或联系管理员',
);
/** A restored copy sends nothing out, whatever is configured. */
export const copyIsQuiet = refusal(
  codes.refused,
  (what: '短信' | '邮件') => `这里是从备份恢复的副本，不发出${what}，验证码不会送达，请联系管理员`,
);
/** Shown to somebody who has no other way to sign in. */
export const noVisits = refusal(codes.refused, (why: string) => `${why}，请拨打受理电话报修，或请本单位人员代为报修`);
export const disabled = refusal(codes.refused, () => '您的账号已停用，请联系管理员');
export const addressNotLet = refusal(codes.refused, (ip: string) => `当前网络地址 ${ip} 不允许登录，请联系管理员`);
export const wrongPassword = refusal(codes.refused, () => '登录密码不正确');
export const preferenceTooBig = refusal(codes.refused, (key: string) => `“${key}”的内容超过 64 KB，无法保存`);
export const draftTooBig = refusal(codes.refused, () => '草稿超过 256 KB，只保存在本机');
export const tooManyPreferences = refusal(codes.refused, () => '保存的界面偏好已达 200 项，请先删除不用的');
/** The parts of a list that may be shared with a role. */
export type SharedKind = '视图' | '列设置';
export const notYourRole = refusal(codes.refused, () => '只能共享给您自己的角色，请重新选择');
export const notWithAll = refusal(
  codes.refused,
  (role: string) => `角色“${role}”人人都有，共享给所有人须有角色管理的编辑权限，请改选其他角色`,
);
export const tooManyViews = refusal(
  codes.refused,
  (what: SharedKind, most: number) => `这个列表共享给该角色的${what}已达 ${most} 个，请先取消不用的`,
);
export const tooManyOwnViews = refusal(
  codes.refused,
  (what: SharedKind, most: number) => `这个列表您共享给该角色的${what}已达 ${most} 个，请先取消不用的`,
);
export const viewTaken = refusal(
  codes.refused,
  (what: SharedKind, name: string) => `这个角色已有名为“${name}”的${what}，请换一个名称`,
);
export const wrongOldPassword = refusal(codes.refused, () => '原密码不正确');
export const weakPassword = refusal(
  codes.invalid,
  (msg: string) => `新密码：${msg}`,
  (msg) => ({ errors: [{ field: 'new_password', label: '新密码', msg }] }),
);
export const phoneTaken = refusal(codes.refused, (number: string) => `手机号 ${number} 已绑定其他账号`);

const smsCode = sixDigits('请输入 6 位数字验证码').meta({ title: '验证码' });
const password = z.string().min(1, unfilled).max(128, '密码最多 128 位').meta({ title: '密码' });
/** Base64 of the JSON `{challenge, solution}` as altcha's verifier takes it. */
const challengePayload = z.string().max(4000).optional();

export const LoginBody = z.union([
  z.object({ username: name(50).meta({ title: '用户名' }), password, challenge: challengePayload }),
  z.object({ phone, code: smsCode, challenge: challengePayload }),
]);

/** `phone` and `email` are empty as long as the session still needs a second step. */
export const LoginReply = z.object({
  jwt: z.string(),
  alias: z.string(),
  phone: z.string(),
  company: z.string(),
  department: z.string(),
  email: z.string(),
  username: z.string(),
  user_id: z.number().int(),
  user_dept: z.number().int().nullable(),
  is_yg: z.boolean(),
  must_change_pwd: z.boolean(),
});
export type LoginReply = z.output<typeof LoginReply>;

/** Signed by the server; loose, because a dropped key would break the signature. `expiresAt` in epoch seconds. */
export const Challenge = z.object({
  parameters: z.looseObject({
    algorithm: z.string(),
    nonce: z.string(),
    salt: z.string(),
    cost: z.number().int(),
    keyLength: z.number().int(),
    keyPrefix: z.string(),
    expiresAt: z.number().optional(),
  }),
  signature: z.string(),
});

const ProfileInput = z.object({
  email: z
    .union([z.literal(''), z.email('邮箱格式不正确').max(100, '最多 100 个字')])
    .meta({ title: '邮箱' })
    .optional(),
  avatar: id.nullable().meta({ title: '头像' }).optional(),
  office_phone: telephone(30).meta({ title: '办公电话' }).optional(),
  office_room: line(50).meta({ title: '办公室' }).optional(),
  gender: z.enum(['', '男', '女']).meta({ title: '性别' }).optional(),
});

export const Profile = z.object({
  id: z.number().int(),
  username: z.string(),
  alias: z.string(),
  phone: z.string(),
  email: z.string(),
  /** Confirmed by a code sent to it. */
  email_confirmed: z.boolean(),
  company: z.string(),
  department: z.string(),
  user_dept: z.number().int().nullable(),
  post: z.string(),
  gender: z.string(),
  office_phone: z.string(),
  office_room: z.string(),
  avatar: z.object({ id: z.number().int(), url: z.string() }).nullable(),
  is_yg: z.boolean(),
  must_change_pwd: z.boolean(),
  is_super: z.boolean(),
  last_login: timestamp.nullable(),
  /** The role or person whose rights are used for now. */
  seeing: z.string().optional(),
  roles: z.array(z.object({ id: z.number().int(), name: z.string(), code: z.string() })),
  /** Page path, colon, code: `/system/user:Create`. */
  menuPermission: z.array(z.string()),
});
export type Profile = z.output<typeof Profile>;

export const SessionRow = z.object({
  id: z.number().int(),
  ip: z.string(),
  ua: z.string(),
  gmt_created: timestamp,
  last_seen: timestamp,
  current: z.boolean(),
});

/** Text that PostgreSQL cannot store: NUL, as JSON writes it. */
const unkeepable = /(?<!\\)(?:\\\\)*\\u0000/;
const preferenceValue = z
  .json()
  .refine((value) => !unkeepable.test(JSON.stringify(value)), '含有无法保存的字符')
  .meta({ title: '内容' });

/** A key under which a list, the shell or a form stores a preference: `columns:stamp/list`, `views:stamp/list`, `phrases`, `favourites`. */
export const preferenceKey = z.string().regex(/^[a-z][a-z0-9_]{0,30}(:[A-Za-z0-9_/-]{1,80})?$/, '名称不正确');

/** The key under which a form stores a draft: `ticket-new-3`, `button:12`. */
const draftKey = line(120).meta({ title: '表单' });

const viewList = z
  .string()
  .regex(/^[A-Za-z0-9_/-]{1,80}$/, '名称不正确')
  .meta({ title: '列表' });
const columnKeys = z.string().min(1).max(80);
/** The column settings of a list, the browser's `ColumnChoice`. */
const Columns = z
  .strictObject({
    order: z.array(columnKeys).max(100).meta({ title: '列的次序' }),
    shown: z.record(columnKeys, z.boolean()).meta({ title: '显示的列' }),
    pins: z.record(columnKeys, z.enum(['left', 'right', 'none'])).meta({ title: '固定的列' }),
    widths: z.record(columnKeys, z.number().min(60).max(800)).meta({ title: '列宽' }),
    density: z.enum(['small', 'medium', 'large']).meta({ title: '行距' }),
  })
  .refine((value) => JSON.stringify(value).length <= 16_384, '内容过大')
  .meta({ title: '列设置' });
/** A shared search or column setting. `mine`: I may remove it. */
const SharedView = z.object({
  id: z.number().int(),
  name: z.string(),
  search: z.string().nullable(),
  columns: Columns.nullable(),
  role_name: z.string(),
  creator: z.string(),
  mine: z.boolean(),
});

export const accounts = {
  login: call({
    method: 'POST',
    path: '/api/accounts/login/',
    access: everyone,
    summary: '登录',
    body: LoginBody,
    reply: LoginReply,
    // It writes its own log entry: who signed in is known only at the end.
    quiet: true,
  }),
  challenge: call({
    method: 'GET',
    path: '/api/accounts/challenge/',
    access: everyone,
    summary: '获取登录安全校验',
    query: z.object({ work: z.coerce.number().int().min(1).max(dearest).default(1) }),
    reply: Challenge,
  }),
  logout: call({
    method: 'GET',
    path: '/api/accounts/logout/',
    access: everyone,
    beforeSecondStep: true,
    beforeNewPassword: true,
    whileSeeing: true,
    summary: '退出登录',
    reply: z.object({ url: z.string(), data: z.object({ url: z.string() }) }),
    writes: true,
  }),
  updateCache: call({
    method: 'GET',
    path: '/api/accounts/update/cache/',
    access: signedIn,
    beforeNewPassword: true,
    summary: '更新缓存',
    reply: z.object({ msg: z.string() }),
    writes: true,
    quiet: true,
  }),
  smsCode: call({
    method: 'GET',
    path: '/api/accounts/smscode/{phone}/',
    access: everyone,
    summary: '发送短信验证码',
    params: z.object({ phone }),
    query: z.object({
      scene: z.enum(['login', 'bind', 'change', 'order']).default('login'),
      challenge: challengePayload,
    }),
    reply: z.object({ expire: z.number().int() }),
    message: '验证码已发送',
    writes: true,
  }),
  me: call({
    method: 'GET',
    path: '/api/accounts/users/info/',
    access: signedIn,
    beforeNewPassword: true,
    summary: '我的资料与权限',
    reply: Profile,
    fresh: true,
  }),
  changeInfo: call({
    method: 'PUT',
    path: '/api/accounts/users/change_info/',
    aliases: ['/api/accounts/change_info/'],
    access: signedIn,
    summary: '修改我的资料',
    body: ProfileInput,
    reply: Profile,
    message: '资料已保存',
  }),
  changePassword: call({
    method: 'PUT',
    path: '/api/accounts/users/change_pwd/',
    access: signedIn,
    settles: 'password',
    summary: '修改我的密码',
    body: z.object({
      old_password: password.meta({ title: '原密码' }),
      new_password: password.meta({ title: '新密码' }),
    }),
    reply: done,
    message: '密码已修改，其他设备上的登录已退出',
  }),
  changePhone: call({
    method: 'PUT',
    path: '/api/accounts/users/change_phone/',
    access: signedIn,
    summary: '修改我的手机号',
    body: z.object({
      phone: phone.meta({ title: '新手机号' }),
      code: smsCode,
      password: password.meta({ title: '登录密码' }),
    }),
    reply: done,
    message: '手机号已修改',
  }),
  info: call({
    method: 'GET',
    path: '/api/accounts/info/',
    access: signedIn,
    beforeNewPassword: true,
    summary: '我的名片与单位',
    reply: Profile.pick({ id: true, username: true, alias: true, company: true, department: true, avatar: true }),
  }),
  sessions: call({
    method: 'GET',
    path: '/api/accounts/sessions/',
    access: signedIn,
    beforeNewPassword: true,
    summary: '我的登录设备',
    reply: z.array(SessionRow),
    fresh: true,
  }),
  endSession: call({
    method: 'DELETE',
    path: '/api/accounts/sessions/{id}/',
    access: signedIn,
    summary: '退出一台设备',
    params: idParams,
    reply: done,
    message: '该设备已退出登录',
  }),
  preferences: call({
    method: 'GET',
    path: '/api/accounts/preference/',
    access: signedIn,
    beforeNewPassword: true,
    summary: '我的界面偏好',
    query: z.object({ key: preferenceKey.optional() }),
    reply: z.object({ value: z.record(z.string(), z.json()) }),
    fresh: true,
  }),
  keepPreference: call({
    method: 'PUT',
    path: '/api/accounts/preference/',
    access: signedIn,
    beforeNewPassword: true,
    summary: '保存一项界面偏好',
    body: z.object({ key: preferenceKey, value: preferenceValue.describe('null 删除该项') }),
    reply: done,
    quiet: true,
  }),
  draft: call({
    method: 'GET',
    path: '/api/accounts/draft/',
    access: signedIn,
    summary: '我在一个表单里未提交的草稿',
    query: z.object({ key: draftKey }),
    reply: z.object({ value: z.json() }),
    fresh: true,
  }),
  keepDraft: call({
    method: 'PUT',
    path: '/api/accounts/draft/',
    access: signedIn,
    summary: '保存一个表单的草稿',
    body: z.object({ key: draftKey, value: preferenceValue.describe('null 删除') }),
    reply: done,
    quiet: true,
  }),
  sharedViews: call({
    method: 'GET',
    path: '/api/accounts/view/',
    access: signedIn,
    summary: '共享给我的视图和列设置',
    query: z.object({ list: viewList }),
    reply: z.object({ value: z.array(SharedView) }),
    fresh: true,
  }),
  shareView: call({
    method: 'POST',
    path: '/api/accounts/view/',
    access: signedIn,
    summary: '共享视图或列设置',
    body: z.object({
      list: viewList,
      name: name(20).meta({ title: '名称' }),
      /** The query of the list's address, or its column settings. */
      shared: z
        .union([z.object({ search: line(2000).meta({ title: '搜索与筛选' }) }), z.object({ columns: Columns })])
        .meta({ title: '共享的内容' }),
      /** One of my own roles. */
      role_id: id.meta({ title: '角色' }),
    }),
    reply: done,
    message: '已共享',
  }),
  removeView: call({
    method: 'DELETE',
    path: '/api/accounts/view/{id}/',
    access: signedIn,
    summary: '取消共享的视图或列设置',
    params: idParams,
    reply: done,
    message: '已取消共享',
  }),
  urls: call({
    method: 'GET',
    path: '/api/geturls/',
    access: everyone,
    summary: '客户端所需地址',
    reply: z.object({
      login_url: z.string(),
      logout_url: z.string(),
      sso_url: z.string(),
      wechat_url: z.string(),
      wopi_url: z.string(),
      file_url: z.string(),
      help_url: z.string(),
      ws_url: z.string(),
    }),
  }),
};
