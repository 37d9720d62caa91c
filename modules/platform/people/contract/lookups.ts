import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { actions, id, idParams, listOf, listQuery } from '#kernel/contract/shapes.ts';
import { field, sheetColumns } from '#kernel/contract/titles.ts';
import { DeptBranch, DeptOption, PersonCard } from './cards.ts';

const searchValue = z.string().trim().max(100, '搜索内容最多 100 个字').default('');
const limit = z.coerce.number().int().min(1).max(100).default(20);
const someone = z.array(PersonCard);

/** The most people in one tree of departments: beyond it a department must be chosen. */
export const mostInTree = 5000;
export const treeTooLarge = refusal(
  codes.refused,
  (max: number) => `人员超过 ${max} 人，不能一次全部列出，请先选定一个部门`,
);

/** A look-up of the organisation; also available under `/api/accounts/depts/`. */
function at(name: string) {
  return { method: 'GET', path: `/api/accounts/${name}/`, aliases: [`/api/accounts/depts/${name}/`] } as const;
}

/** A person's presence: here, out with all tasks delegated, or with those of some workflows; `stand_ins` are the delegates' names. */
const Whereabouts = z.object({ state: z.enum(['here', 'out', 'delegated']), stand_ins: z.array(z.string()) });
export type Whereabouts = z.output<typeof Whereabouts>;

export function whereaboutsText({ state, stand_ins }: Whereabouts): string {
  const names = stand_ins.join('、');
  return { here: '在岗', out: `外出，由 ${names} 代办`, delegated: `委托 ${names} 代办部分事项` }[state];
}

/**
 * One line of the address book; `dept` and `phone_masked` are for programs that synchronise people. `actions` contains `phone` if the number may be
 * requested.
 */
export const Staff = PersonCard.extend({
  depts: z.array(z.number().int()),
  post: z.string().meta(field('职务')),
  phone: z.string().meta(field('手机')),
  email: z.string().meta(field('邮箱')),
  office_phone: z.string().meta(field('办公电话')),
  office_room: z.string().meta(field('办公室')),
  company: z.string(),
  gender: z.string(),
  avatar: z.number().int().nullable(),
  dept: z.string(),
  phone_masked: z.string(),
  is_yg: z.boolean(),
  whereabouts: Whereabouts.meta(field('状态')),
  actions,
});
export type Staff = z.output<typeof Staff>;

/** The address of somebody's page. */
export const personPath = (person: number) => `/address/detail/${person}`;

/** A person's page in the address book. `actions`: `phone` as in the list, `notify` and `text` if one may write to them. */
export const Person = Staff.extend({
  /** Their superiors: the heads of their main department, or above, other than themselves. */
  superiors: z.array(PersonCard).meta(field('上级')),
  /** The main department first; each name with its ancestors. */
  places: z.array(z.object({ id: z.number().int(), name: z.string(), main: z.boolean() })).meta(field('兼职部门')),
  /** Their functions for departments and people, as far as everybody may know. */
  duties: z.array(z.object({ duty: z.string(), of: z.array(z.string()) })),
});
export type Person = z.output<typeof Person>;

/** First letters of the names' readings; `#` is for names that begin with no letter. */
export const letters: readonly string[] = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ#'];

export const lookups = {
  simpleUsers: call({
    ...at('users/simple'),
    access: signedIn,
    summary: '用户选项',
    query: z.object({
      search_value: searchValue,
      dept: id.optional(),
      ids: idList(),
      /** Separated by commas, at most 100. */
      usernames: z
        .string()
        .regex(/^[^,]{1,50}(,[^,]{1,50}){0,99}$/, '格式不正确')
        .transform((text) => text.split(','))
        .optional()
        .meta(field('用户名')),
      limit,
    }),
    reply: someone,
  }),
  simpleDepts: call({
    ...at('simple_depts'),
    access: signedIn,
    summary: '部门选项',
    query: z.object({ search_value: searchValue }),
    reply: z.array(DeptOption),
  }),
  managedDepts: call({
    ...at('simple_depts2'),
    access: signedIn,
    summary: '我管理范围内的部门',
    query: z.object({ search_value: searchValue }),
    reply: z.array(DeptOption),
  }),
  deptsUsers: call({
    ...at('depts_users'),
    access: signedIn,
    summary: '部门与人员树',
    query: z.object({ dept: id.optional() }),
    reply: z.array(DeptBranch),
  }),
  deptsLeaders: call({
    ...at('depts_leaders'),
    access: signedIn,
    summary: '部门及其负责人',
    reply: z.array(
      z.object({ dept: DeptOption.pick({ id: true, name: true, parentId: true }), leaders: z.array(PersonCard) }),
    ),
  }),
  deptUsers: call({
    ...at('dept_user'),
    access: signedIn,
    summary: '部门人员',
    /** Without a department: the people of my own departments. */
    query: z.object({ dept_id: id.optional() }),
    reply: someone,
  }),
  heads: call({
    ...at('dept_fzr'),
    access: signedIn,
    summary: '部门负责人',
    query: z.object({ dept: id.optional() }),
    reply: someone,
  }),
  inCharge: call({
    ...at('dept_ld'),
    access: signedIn,
    summary: '分管领导',
    query: z.object({ dept: id.optional() }),
    reply: someone,
  }),
  secretaries: call({
    ...at('secretarys'),
    access: signedIn,
    summary: '秘书',
    query: z.object({ leader: id.optional() }),
    reply: someone,
  }),
  allDepts: call({
    ...at('dept_all'),
    access: signedIn,
    summary: '全部部门',
    reply: z.array(DeptOption),
  }),
  leaders: call({ ...at('xld'), access: signedIn, summary: '校领导', reply: someone }),
  messageable: call({
    ...at('msg_per'),
    access: signedIn,
    summary: '可发消息的人员',
    query: z.object({ search_value: searchValue, limit }),
    reply: z.object({ value: someone, can_all: z.boolean() }),
  }),
  leaderDeptUsers: call({
    method: 'GET',
    path: '/api/leader/dept/users/',
    access: signedIn,
    summary: '领导分管部门的人员',
    query: z.object({ leader: id.optional() }),
    reply: someone,
  }),
  person: call({
    method: 'GET',
    path: '/api/oauth/staff/{id}/',
    access: signedIn,
    summary: '通讯录人员',
    params: idParams,
    reply: Person,
  }),
  allStaff: call({
    method: 'GET',
    path: '/api/oauth/staff/all_staff/',
    access: signedIn,
    summary: '通讯录',
    query: listQuery({
      sort: ['sort', 'alias', 'username'],
      filters: {
        dept: id.optional().meta({ title: '部门' }),
        ids: idList(),
        letter: z.enum(letters).optional().meta({ title: '首字母' }),
      },
    }),
    reply: listOf(Staff),
    exports: {
      page: 'address',
      title: '通讯录',
      columns: sheetColumns(Staff.shape, [
        'alias',
        'dept_name',
        'post',
        'office_phone',
        'phone',
        'email',
        'office_room',
        { key: 'whereabouts', show: whereaboutsText },
      ]),
    },
  }),
};

/** Ids separated by commas, at most 200. */
function idList() {
  return z
    .string()
    .regex(/^\d{1,9}(,\d{1,9}){0,199}$/, '格式不正确')
    .transform((text) => text.split(',').map(Number))
    .optional();
}
