import { codeSet } from '#kernel/contract/codes.ts';

// The codes of activities, declared once for server and pages.
export const activityType = codeSet({
  lecture: [1, '学术讲座'],
  forum: [2, '论坛、报告会、研讨会'],
  culture: [3, '文体活动'],
  ceremony: [4, '庆典'],
  training: [5, '培训'],
  foreign: [6, '对外交流'],
  recruiting: [7, '招聘宣讲'],
  club: [8, '社团活动'],
  other: [9, '其他'],
});
export const activityAudience = codeSet({
  students: [1, '学生'],
  staff: [2, '教职工'],
  school: [3, '全校师生'],
  outside: [4, '校外人员'],
});
export const needs = { room: '会场布置', car: '用车', photo: '摄影', reception: '接待' } as const;
export const activityStatus = codeSet({
  coming: [0, '待举办', 'processing'],
  running: [1, '进行中', 'success'],
  toSummarise: [2, '待总结', 'warning'],
  summarised: [3, '已总结', 'default'],
  cancelled: [4, '已取消', 'default'],
});

/** Reviews an activity may need besides those of its heads, in the order they are asked. */
export const reviews = {
  publicity: '宣传部门审核',
  foreign: '国际交流部门审核',
  safety: '保卫部门审核',
  place: '场地审核',
} as const;
export type Review = keyof typeof reviews;
export const reviewKeys = Object.keys(reviews) as Review[];

export const typeText = (type: number | null) => activityType.label(type) || '未选类型';

/** Nationalities by ISO 3166-1, the most frequent first; guests from Hong Kong, Macao and Taiwan have CN. */
export const nations: readonly string[] = `
CN US GB FR DE IT ES PT NL BE CH AT SE NO FI DK PL CZ RU UA JP KR SG MY TH VN ID PH IN PK KZ AU NZ CA MX BR AR
EG ZA NG KE TR IL SA AE
AD AF AG AI AL AM AO AQ AS AW AX AZ BA BB BD BF BG BH BI BJ BL BM BN BO BQ BS BT BV BW BY BZ CC CD CF CG CI CK
CL CM CO CR CU CV CW CX CY DJ DM DO DZ EC EE EH ER ET FJ FK FM FO GA GD GE GF GG GH GI GL GM GN GP GQ GR GS GT
GU GW GY HM HN HR HT HU IE IM IO IQ IR IS JE JM JO KG KH KI KM KN KP KW KY LA LB LC LI LK LR LS LT LU LV LY
MA MC MD ME MF MG MH MK ML MM MN MP MQ MR MS MT MU MV MW MZ NA NC NE NF NI NP NR NU OM PA PE PF PG PM PN PR
PS PW PY QA RE RO RS RW SB SC SD SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TJ TK TL TM TN TO TT
TV TZ UG UM UY UZ VA VC VE VG VI VU WF WS YE YT ZM ZW
`
  .trim()
  .split(/\s+/);
