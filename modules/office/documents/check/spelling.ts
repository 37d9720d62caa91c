import { cited, mapText, onText, type Check, type Checked, type Found, type Value } from './found.ts';

const han = '\\p{Script=Han}';
const number = new RegExp(
  `(${han}{1,12})[[［【(（〔](\\d{4})[\\]］】)）〕]\\s*(?:第\\s*)?0{0,9}(\\d{1,9})\\s*号`,
  'gu',
);
/** Writes `校发[2026]第012号` as 校发〔2026〕12号. */
export const bracketed = (text: string) => text.replace(number, '$1〔$2〕$3号');

const spelled = '〇○零一二三四五六七八九十';
const arabic = (text: string): number => {
  if (!text.includes('十'))
    return Number([...text].map((one) => '〇一二三四五六七八九'.indexOf(one.replace(/[○零]/, '〇'))).join(''));
  const [tens, ones] = text.split('十');
  return (tens ? '〇一二三四五六七八九'.indexOf(tens) : 1) * 10 + (ones ? '〇一二三四五六七八九'.indexOf(ones) : 0);
};
/** True for a day of the calendar; parts of addresses, file names and version numbers are none. */
const isDay = (month: string, day: string) =>
  Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
const dates: readonly [RegExp, (year: string, month: string, day: string) => string][] = [
  [
    /(?<![\w.\-/])(\d{4})[.\-/．](\d{1,2})[.\-/．](\d{1,2})(?![\w\-/]|\.\w)/g,
    (y, m, d) => (isDay(m, d) ? `${y}年${Number(m)}月${Number(d)}日` : ''),
  ],
  [/(\d{4})年(0\d|\d{1,2})月(0\d|\d{1,2})日/g, (y, m, d) => `${y}年${Number(m)}月${Number(d)}日`],
  [
    new RegExp(`([二一][${spelled}]{3})年([${spelled}]{1,3})月([${spelled}]{1,3})日`, 'g'),
    (y, m, d) => `${arabic(y)}年${arabic(m)}月${arabic(d)}日`,
  ],
];
/** A date within 《》 stays as the cited paper has it. */
const isWithinName = (text: string, at: number) => text.lastIndexOf('《', at) > text.lastIndexOf('》', at);
/** Writes `2026.03.01`, `2026年03月01日`, `二〇二六年三月一日` as 2026年3月1日. */
export const dated = (text: string) =>
  dates.reduce(
    (now, [pattern, right]) =>
      now.replace(pattern, (all, y: string, m: string, d: string, at: number, whole: string) =>
        isWithinName(whole, at) ? all : right(y, m, d) || all,
      ),
    text,
  );

const full: Readonly<Record<string, string>> = { ',': '，', ';': '；', ':': '：', '?': '？', '!': '！' };
const after = new RegExp(`(?<=[${han}”》）])([,;:?!])`, 'gu');
const stop = new RegExp(`(?<=[${han}”》）])\\.(?=\\s*$|\\s*[${han}])`, 'gu');
const pair = new RegExp(`\\((?=[^()]*${han})([^()]*)\\)`, 'gu');
const straight = new RegExp(`"(?=[^"]*${han})([^"]*)"`, 'gu');
/** Widens half-width punctuation between Chinese characters. */
export const widened = (text: string) =>
  text
    .replace(after, (mark) => full[mark]!)
    .replace(stop, '。')
    .replace(pair, '（$1）')
    .replace(straight, '“$1”');

const between = new RegExp(`(?<=[${han}，。、；：])[ \\u00a0\\u3000]+(?=[${han}，。、；：])`, 'gu');
const leading = new RegExp(`^[ \\u00a0\\u3000]+(?=[${han}（“《])`, 'u');
/** Removes blanks that were typed for indentation or spacing. */
export const closed = (text: string) => text.replace(leading, '').replace(between, '');

interface Rule {
  code: string;
  severity: Found['severity'];
  right: (text: string) => string;
  says: (wrong: string, right: string) => string;
}
const rules: readonly Rule[] = [
  {
    code: 'number_brackets',
    severity: 'error',
    right: bracketed,
    says: (wrong, right) => `发文字号的年份用六角括号〔〕，序号不编虚位、不加“第”：“${wrong}”应为“${right}”`,
  },
  { code: 'date_form', severity: 'error', right: dated, says: (wrong, right) => `日期“${wrong}”应写作“${right}”` },
  {
    code: 'half_width',
    severity: 'warning',
    right: widened,
    says: (wrong, right) => `中文里用全角标点：“${wrong}”应为“${right}”`,
  },
  {
    code: 'blanks',
    severity: 'warning',
    right: closed,
    says: (wrong) => `“${wrong}”里有多余的空格，首行缩进由排版自动完成`,
  },
];

/** The first difference between two texts, with a few characters around it. */
function difference(wrong: string, right: string): [string, string] {
  let from = 0;
  while (from < wrong.length && wrong[from] === right[from]) from += 1;
  let [wrongEnd, rightEnd] = [wrong.length, right.length];
  while (wrongEnd > from && rightEnd > from && wrong[wrongEnd - 1] === right[rightEnd - 1]) {
    wrongEnd -= 1;
    rightEnd -= 1;
  }
  const begin = Math.max(0, from - 4);
  return [cited(wrong.slice(begin, wrongEnd + 3)), cited(right.slice(begin, rightEnd + 3))];
}

const places: readonly [field: 'title' | 'from_number' | 'annotation', place: string, of: (doc: Checked) => string][] =
  [
    ['title', '标题', (doc) => doc.title],
    ['from_number', '来文字号', (doc) => doc.from_number],
    ['annotation', '附注', (doc) => doc.annotation],
  ];

/** Checks the spelling of numbers, dates and punctuation, in the text and its fields. */
export const spellingChecks: Check = (doc) =>
  rules.flatMap(({ code, severity, right, says }) => {
    const found: Found[] = [];
    const look = (field: string, place: string, text: string, mend: (value: Value) => Value) => {
      const better = right(text);
      if (better === text) return;
      const [before, after] = difference(text, better);
      found.push({ code, severity, place, field, msg: says(before, after), before, after, mend });
    };
    for (const [field, place, of] of places) look(field, place, of(doc), onText(right));
    const wrong = doc.lines.findIndex((line) => right(line) !== line);
    if (wrong >= 0)
      look(
        'body_html',
        `正文第 ${wrong + 1} 段`,
        doc.lines[wrong]!,
        onText((html) => mapText(html, right)),
      );
    return found;
  });
