// What the numbers of activities mean, said once for both sides.
export const activityTypes = {
  1: '学术讲座',
  2: '论坛、报告会、研讨会',
  3: '文体活动',
  4: '庆典',
  5: '培训',
  6: '对外交流',
  7: '招聘宣讲',
  8: '社团活动',
  9: '其他',
} as const;
export const audiences = { 1: '学生', 2: '教职工', 3: '全校师生', 4: '校外人员' } as const;
export const needs = { room: '会场布置', car: '用车', photo: '摄影', reception: '接待' } as const;
export const activityStatuses = { 0: '待举办', 1: '进行中', 2: '待总结', 3: '已总结', 4: '已取消' } as const;
export const status = { coming: 0, running: 1, toSummarise: 2, summarised: 3, cancelled: 4 } as const;

/** Reviews an activity may need besides those of its heads, in the order they are asked. */
export const reviews = {
  publicity: '宣传部门审核',
  foreign: '国际交流部门审核',
  safety: '保卫部门审核',
  place: '场地审核',
} as const;
export type Review = keyof typeof reviews;
export const reviewKeys = Object.keys(reviews) as Review[];

export const typeText = (type: number | null) => activityTypes[type as 1] ?? '未选类型';

/** Nationalities by ISO 3166-1, those of most guests first; whoever comes from Hong Kong, Macao or Taiwan is of China. */
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
