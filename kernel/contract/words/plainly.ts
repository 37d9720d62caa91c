const unseen = /[\uFE00-\uFE0F\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;
/** Radicals that replace characters in text copied from PDF files, and brackets of other shapes. */
export const alike = {
  from: '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]',
  to: '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()',
} as const;
const to = new Map([...alike.from].map((one, at) => [one, [...alike.to][at]!]));
/** Writes lookalikes the same way: radicals as characters, one width, one shape of brackets. */
export const unified = (text: string): string =>
  text.replace(/[⺀-⻿⼾⾭〔〕【】〖〗［］[\]]/g, (one) => to.get(one) ?? one).normalize('NFKC');
/** Removes invisible characters but keeps blanks. */
export const withoutUnseen = (text: string): string => text.replace(unseen, (sign) => (/\s/.test(sign) ? sign : ''));
/** Normalises a name for comparison: half-width, lower case, without blanks and invisible characters; `plainSql` does the same in the database. */
export const plainly = (text: string) => unified(text).replace(unseen, '').toLowerCase();
/** Restores a code however it was typed or pasted: full-width, grouped, with dashes or blanks. */
export const plainCode = (typed: string) => plainly(typed).replace(/\p{Pd}/gu, '');
