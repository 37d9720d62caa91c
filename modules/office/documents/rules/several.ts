/** Separators, or a collective 各. */
const listed = /^各|[、，,；;/／\s]/;
const joining = /以及|[和与及并暨]/g;

/** Endings of names of organisations. */
const organisation =
  /(?:[厅局委办部院校会府处署司馆庭队]|大学|中学|小学|幼儿园|办公室|研究室|研究所|事务所|派出所|报社|出版社|供销社|合作社|银行|分行|支行|电视台|集团|兵团|中心|单位|机构)$/;
/** Words with such an ending that are no organisations. */
const other = /(?:社会|机会|[东西南北中内外全干]部|[高院]校|布局|格局|部署|军队|[公民主承]办|好处)$/;
/** Generic words for a kind of organisation. */
const kinds = ['学校', '医院', '政府', '部', '中学', '小学', '幼儿园', '大学', '公司', '银行', '机构', '单位'];

/** Words that begin with a conjunction character, mostly place names. */
const place = '市|县|区|镇|乡|街|路|里|分局|分院|支行';
const word = new RegExp(`^(?:和(?:田|谐|睦|解|布克赛尔|林格尔|(?:平|静|硕|顺|龙|政)(?:${place}))|并州|及[第时])`);
/** Partners of governments that are no governments. */
const partner = /^(?:社会资本|市场|企业)/;

const isOrganisation = (name: string) => organisation.test(name) && !other.test(name) && !kinds.includes(name);

/** True if a name means several organisations: a conjunction joins two names that both end as one. */
export function namesSeveral(name: string): boolean {
  if (listed.test(name)) return true;
  return [...name.matchAll(joining)].some(({ 0: joint, index }) => {
    const [before, after] = [name.slice(0, index), name.slice(index + joint.length).replace(/^其/, '')];
    if (word.test(name.slice(index)) || partner.test(after)) return false;
    return isOrganisation(before) && organisation.test(after);
  });
}

/** True if words on a line of addressees name organisations: 各学院, 省教育厅, 机关各部门. */
export const namesOrganisations = (name: string): boolean =>
  /^各.|.各.{1,10}$/.test(name) || (organisation.test(name) && !other.test(name));
