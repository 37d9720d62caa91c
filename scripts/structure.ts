// Checks the shape of the tree for `npm run check`: folders, names, words, rings, storeys and the table of modules. Prints violations and exits with
// 1 if there are any. `--write` first regenerates the table in docs/structure.md and the modules in the picture of docs/architecture.md.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format } from 'oxfmt';
import { needless, typedTitles } from './fields.ts';
import { needsOf, ringsIn, ringText } from './rings.ts';
import { drawn, misdrawn, wrongWays } from './storeys.ts';

const root = join(import.meta.dirname, '..');
const tableFile = join(root, 'docs', 'structure.md');
/** The maximum number of files directly in a folder of the kernel or a module, tests not counted: a larger folder holds several things. */
export const mostInFolder = 12;
/** The number of lines by which the table may be wrong before it must be regenerated. */
const tolerance = 150;

/** Folders with more files than allowed, with their number. */
export function crowded(files: readonly string[]): { folder: string; files: number }[] {
  const counts = new Map<string, number>();
  for (const file of files)
    if (!/\.test\.tsx?$/.test(file)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].flatMap(([folder, many]) => (many > mostInFolder ? [{ folder, files: many }] : []));
}

const clause = /(?:^|\s)(?:\/\/|\/\*\*|\{?\/\*) *(?:Whoever|What|Who|Whom|Whose|Where|How|Whether)\b[^?\n]*$/gm;
/** The lines whose comment begins as a clause without a subject (docs/style.md): a stranger cannot tell what it speaks of. Questions are none. */
export const clausesIn = (text: string): string[] => (text.match(clause) ?? []).map((line) => line.trim());

/** Words that the code has given up, with their replacements. */
export const retired: Readonly<Record<string, string>> = {
  looker: 'viewer',
  lookers: 'viewers',
  deed: 'action',
  deeds: 'actions',
  standin: 'delegate',
  standIn: 'delegate',
  hushed: 'withdrawn',
  relieve: 'withdraw',
  befall: 'apply',
  carrier: 'adapter',
  carriers: 'adapters',
  presser: 'typesetter',
  parcel: 'payload',
  askPoolsAgain: 'askCandidatesAgain',
  askPoolsOf: 'askCandidatesOf',
  markedCopy: 'watermarkedCopy',
  nameOfMarked: 'nameOfWatermarked',
};
const asWord = new RegExp(`\\b(${Object.keys(retired).join('|')})\\b`, 'g');

/** The retired words of a text, each once. */
export const retiredIn = (text: string): string[] => [...new Set([...text.matchAll(asWord)].map(([word]) => word))];

/** Words of the interface that were replaced by others, so that each thing has one word. */
export const retiredChinese: readonly (readonly [RegExp, string])[] = [
  [/处理人(?!员)/, '办理人'],
  [/子工单|子流程/, '下级工单'],
  [/发文号/, '发文字号'],
  [/[「」]/, '弯引号'],
  [/你(?![们好])/, '您'],
  [/审批中|待审批/, '待审'],
  [/已批准/, '已通过'],
  [/创建人(?=', show)|工单创建人|创建者/, '发起人'],
  [/(?:紧急程度|缓急).*(?:一般|紧急)'/, '普通、加急、特急'],
  [/已经过(?!去)/, '已完成、已跳过'],
  [/已办好/, '已办理'],
  [/没有?办成/, '未成功'],
  [/换一种/, '更换流程'],
  [/只看的人/, '仅查看者'],
  [/改选另一个按钮/, '改走其他流转'],
  [/小的在前/, '数值越小越靠前'],
  [/看得到谁还没读/, '可查看未读人员'],
  [/其需要重新登录/, '该用户须重新登录'],
  [/谁手上有多少/, '各办理人待办数量'],
  [/没有找到的词/, '无结果的搜索词'],
  [/已记下，关闭/, '我已保存，关闭'],
  [/在业务页面办理/, '打开公文办理'],
  [/没有等到结果/, '未收到结果'],
  [/没有走完/, '流程未走完'],
  [/(?<!条件)取反/, '条件取反'],
  [/可换个说法/, '请更换关键字'],
  [/可干预的人/, '有干预权限的人员'],
  [/不改就不会变/, '留 ****** 即保持不变'],
  [/建立后不能修改/, '创建后不可修改'],
];

/** The text of a line unless it is a comment. */
const uncommented = (line: string) => (/^\s*(?:\/[/*]|\*)/.test(line) ? '' : line);

/** The retired words of the interface in a text, each once, with the present word. */
export function retiredChineseIn(text: string): string[] {
  const lines = text.split('\n').map(uncommented);
  return retiredChinese.flatMap(([word, now]) => {
    const found = lines.map((line) => word.exec(line)?.[0]).find((hit) => hit !== undefined);
    return found === undefined ? [] : [`“${found}”已不再使用，请写“${now}”`];
  });
}
/** Files that quote the texts of others: rules of typesetting, words of senders, brackets in document numbers, a letter of the demo. */
const quotesOthers =
  /^modules\/platform\/(typesetting\/page|sms\/engine)\/|^modules\/office\/documents\/(tables|numbers\.test|receiving\.test)\.ts$|\/demo-letters\.ts$/;

/** Names under which a file of a module mounts its calls, if they are not the name of the module's folder. */
export function misnamed(file: string, text: string): string[] {
  const noun = /^modules\/\w+\/(\w+)\//.exec(file)?.[1];
  if (noun === undefined) return [];
  return [...text.matchAll(/\bimplement\(\s*'([^']*)'/g)].map(([, name]) => name!).filter((name) => name !== noun);
}

/** Files that use the day of the week, and why the work calendar is not concerned: only the calendar knows whether people work on a day. */
export const asksWeekday: Readonly<Record<string, string>> = {
  'kernel/contract/moment.ts': 'says it',
  'kernel/contract/sheet/cells.ts': 'a date in a sheet may name its day of the week',
  'kernel/server/jobs/schedules.ts': 'schedules may name days of the week',
  'kernel/web/kit/calendar/options.ts': 'heads a column',
  'kernel/web/kit/calendar/range.ts': 'weeks begin on Monday',
  'kernel/web/kit/find/office-time.ts': 'weeks begin on Monday',
  'modules/platform/calendars/service.ts': 'is the calendar',
  'modules/platform/calendars/proposal.ts': 'proposes one',
  'modules/platform/rooms/engine/rules.ts': 'offices open by days of the week, beside the calendar',
  'modules/platform/rooms/server/days.ts': 'weeks begin on Monday',
  'modules/platform/rooms/web/day/WeekPage.tsx': 'weeks begin on Monday',
  'modules/office/duty/server/paper.ts': 'names a day',
  'modules/office/duty/web/Month.tsx': 'weeks begin on Monday',
  'modules/office/leaders/tables.ts': 'weeks begin on Monday',
  'modules/office/meetings/web/one/PrintPage.tsx': 'names a day',
  'modules/services/monitors/engine/windows.ts': 'windows of maintenance come again by days of the week',
  'modules/office/meetings/looks/statistics.ts': 'a figure by days of the week',
  'modules/platform/waits/engine/later.ts': 'next week begins on Monday',
  'modules/office/meetings/demo.ts': 'spreads what is made up over a week',
  'modules/office/contracts/demo/demo.ts': 'what is made up was on no weekend, holidays or not',
  'modules/workflow/tickets/demo/words.ts': 'what is made up was on no weekend, holidays or not',
};
const weekday = /\b(?:getDay|getUTCDay|weekdayOf)\(|\bisodow\b|extract\(dow\b/;

/** True if a file uses the day of the week without a reason in the list. */
export const guessesDays = (file: string, text: string): boolean =>
  weekday.test(text.split('\n').map(uncommented).join('\n')) && !Object.hasOwn(asksWeekday, file);

/** True if a file names the time zone of the house's clock, which a single file defines. */
export const typesZone = (file: string, text: string): boolean =>
  /Asia\/Shanghai|\+08:?00\b/.test(text.split('\n').map(uncommented).join('\n')) &&
  file !== 'kernel/contract/moment.ts';

/** Files that compare a state with numbers that are not our codes. HTTP statuses have three digits, which no code has. */
export const numbersOfOthers: Readonly<Record<string, string>> = {
  'kernel/server/postgres/embedded-account.ts': 'a process says how it ended',
};
const ofCodes = String.raw`(?:\w+_)?(?:state|status|kind|stage|type)(?:_id)?|nature|pay_direction|renewal|visibility|secret_level|service_level|data_scope|actState`;
/** A number in place of a code's name: compared in the program, in a template of SQL, or by a function of the query builder. */
const bareCode = [
  String.raw`\b(?:${ofCodes})\b["'\])}!]*(?:::\w+)?\s*(?:===|!==|<>|!=|<=|>=|=|<|>)\s*-?\d{1,2}\b(?!\s*[:*/])`,
  String.raw`\b\d{1,2}\s*(?:===|!==|<=|>=|<|>)\s*(?:[\w$]+[.?!]+)*(?:${ofCodes})\b`,
  String.raw`\b(?:${ofCodes})\b["'\])}!]*(?:::\w+)?\s+(?:(?:not\s+)?in\s*\(|(?:not\s+)?between\s+|when\s+|is\s+(?:not\s+)?distinct\s+from\s+)\s*-?\d`,
  String.raw`\b(?:eq|ne|gte?|lte?|inArray|notInArray|isAmong)\([^()]*\b(?:${ofCodes})\b!?,\s*\[?\s*-?\d`,
  String.raw`\[-?\d{1,2}(?:,\s*-?\d{1,2})*\]\.includes\((?:[\w$]+[.?!]+)*(?:${ofCodes})\b`,
].map((pattern) => new RegExp(pattern));

/** The lines of a file that compare a state or kind with a bare number, where its set of codes has a name for it. */
export const bareCodes = (file: string, text: string): string[] =>
  Object.hasOwn(numbersOfOthers, file)
    ? []
    : text
        .split('\n')
        .map(uncommented)
        .filter((line) => bareCode.some((pattern) => pattern.test(line)))
        .map((line) => line.trim());

/** Product files that give a value a type that the compiler refuses, and the reasons. Everywhere else a schema, a predicate or a better type is wanted. */
export const forcesTypes: Readonly<Record<string, string>> = {
  'kernel/server/generic.ts': 'says what the compiler cannot derive while a table or a contract is a type parameter',
  'modules/office/stamps/web/ledger/LedgerPage.tsx': 'one call answers the rows of the tab that its query names',
};

/** The lines of a file that force a type upon a value without a reason in the list. */
export const forcedTypes = (file: string, text: string): string[] =>
  Object.hasOwn(forcesTypes, file)
    ? []
    : text
        .split('\n')
        .map(uncommented)
        .filter((line) => /\bas (?:never|unknown as)\b/.test(line))
        .map((line) => line.trim());

/** Files outside the module of files that run an upload by themselves, and the reasons. */
export const runsUploads: Readonly<Record<string, string>> = {
  'modules/services/photos/web/upload/queue.ts': 'the queue outlives its page and sends what arrived by itself',
};

/** True if a file runs an upload itself: the form around it would not wait, and what is still on its way would be lost. */
export const uploadsUnheld = (file: string, text: string): boolean =>
  /\bcreateTransfer\(/.test(text.split('\n').map(uncommented).join('\n')) &&
  !file.startsWith('modules/platform/files/web/') &&
  !Object.hasOwn(runsUploads, file);

/** Parts of the component library that only a part of the kit uses, which mends what is wrong with them. */
const wrapped = [
  {
    used: /\bpagination=\{\{|\{[^}]*\bPagination\b[^}]*\} from 'antd'/,
    by: 'kernel/web/kit/list/Pager.tsx',
    why: '分页请用 kernel/web/kit/list/Pager.tsx 的 Pager 或 paged，组件库的翻页按钮没有名称',
  },
  {
    used: /\{[^}]*\bInputNumber\b[^}]*\} from 'antd'/,
    by: 'kernel/web/kit/form/NumberInput.tsx',
    why: '数字请用 kernel/web/kit/form/NumberInput.tsx，组件库的会把 1,00 读成 100、丢掉全角数字',
  },
];

/** Says which parts of the kit a file should use in place of the component library's own. */
export const unwrappedParts = (file: string, text: string): string[] =>
  wrapped.filter(({ used, by }) => file !== by && used.test(text)).map(({ why }) => why);

const section = /(<!-- modules -->\n)([\s\S]*?)(<!-- \/modules -->)/;

/** A Markdown table of modules and their lines, rounded to the hundred. */
export const tableOf = (lines: ReadonlyMap<string, number>): string =>
  [
    '| module | lines |',
    '| --- | ---: |',
    ...[...lines].map(([name, count]) => `| ${name} | ${Math.round(count / 100) * 100} |`),
  ].join('\n');

/** The text with the table between its markers replaced, formatted as `npm run check` requires. */
export async function withTable(text: string, table: string, file = tableFile): Promise<string> {
  const written = text.replace(section, (_all, from, _table, to) => `${from}\n${table}\n\n${to}`);
  const { code } = await format(file, written);
  return code;
}

const rowOf = /^\| (\w+) +\| +(\d+) \|$/;

/** The rows of a table `| module | lines |` that are no longer true; lines are rounded to the hundred. */
export function untrue(table: string, lines: ReadonlyMap<string, number>): string[] {
  const stated = new Map(
    table.split('\n').flatMap((line) => {
      const found = rowOf.exec(line);
      return found ? [[found[1]!, Number(found[2])] as const] : [];
    }),
  );
  const wrong = [...lines].filter(([name, count]) => Math.abs((stated.get(name) ?? -tolerance) - count) > tolerance);
  return [...wrong.map(([name]) => name), ...[...stated.keys()].filter((name) => !lines.has(name))];
}

/** Lines of product code by module, without tests and their helpers. */
function linesByModule(): Map<string, number> {
  const lines = new Map<string, number>();
  for (const file of globSync('{kernel,modules/*/*}/**/*.{ts,tsx}', { cwd: root })) {
    if (/\.test\.tsx?$|\/testing\//.test(file)) continue;
    const name = file.startsWith('kernel/') ? 'kernel' : file.split('/')[2]!;
    const { length } = readFileSync(join(root, file), 'utf8').split('\n');
    lines.set(name, (lines.get(name) ?? 0) + length - 1);
  }
  return new Map([...lines].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

if (import.meta.main) {
  const writes = process.argv.includes('--write');
  const problems = crowded(globSync('{kernel,modules}/**/*.{ts,tsx,css}', { cwd: root })).map(
    ({ folder, files }) => `${folder}：${files} 个文件，最多 ${mostInFolder} 个，请按内容分成文件夹`,
  );
  for (const file of globSync('{kernel,modules,apps,e2e,bench}/**/*.{ts,tsx}', { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8');
    problems.push(
      ...clausesIn(text).map((line) => `${file}：注释请写成完整的句子，不以 What、Whoever 等开头：${line}`),
    );
    for (const word of retiredIn(text)) problems.push(`${file}：“${word}”已不再使用，请写 ${retired[word]}`);
    if (!quotesOthers.test(file)) problems.push(...retiredChineseIn(text).map((what) => `${file}：${what}`));
    if (/^(kernel|modules|apps)\//.test(file) && !/\.test\.tsx?$|\/testing\//.test(file) && guessesDays(file, text))
      problems.push(`${file}：是否上班请问工作日历（calendarOf），只论星期几的写进 asksWeekday 并说明原因`);
    if (/^(kernel|modules|apps)\//.test(file) && !/\.test\.tsx?$|\/testing\//.test(file) && typesZone(file, text))
      problems.push(
        `${file}：时区请用 kernel/contract/moment.ts 的 houseZone、momentOf、dayStart，SQL 里会话已是该时区`,
      );
    if (/^(kernel|modules|apps)\//.test(file) && !/\.test\.tsx?$|\/testing\//.test(file))
      problems.push(...bareCodes(file, text).map((line) => `${file}：请写编码的名字而不是数字：${line}`));
    if (/^(kernel|modules|apps)\//.test(file) && !/\.test\.tsx?$|\/(?:testing|showcase)\//.test(file))
      problems.push(...typedTitles(file, text).map((what) => `${file}：${what}`));
    if (/^(kernel|modules|apps)\//.test(file) && !/\.test\.tsx?$|\/testing\/|\/testing\.ts$/.test(file))
      problems.push(
        ...forcedTypes(file, text).map((line) => `${file}：请用更准的类型、类型谓词或 schema，不要强转：${line}`),
      );
    if (uploadsUnheld(file, text))
      problems.push(
        `${file}：上传请用 FilesInput、FilesField 或 useUpload，表单会等文件传完，不要自己调用 createTransfer`,
      );
    for (const why of unwrappedParts(file, text)) problems.push(`${file}：${why}`);
    if (!file.includes('/testing/'))
      for (const name of misnamed(file, text)) problems.push(`${file}：模块的名字是它的文件夹名，不是“${name}”`);
  }
  problems.push(
    ...needless((file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined)),
  );

  const files = globSync('modules/**/*.{ts,tsx,css}', { cwd: root }).map(
    (file) => [file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')] as const,
  );
  const needs = needsOf(files);
  for (const ring of ringsIn(needs)) problems.push(ringText(ring, needs));
  problems.push(...wrongWays(files));
  const pictureFile = join(root, 'docs', 'architecture.md');
  const paths = files.map(([file]) => file);
  if (writes) writeFileSync(pictureFile, drawn(readFileSync(pictureFile, 'utf8'), paths));
  problems.push(...misdrawn(readFileSync(pictureFile, 'utf8'), paths));

  const lines = linesByModule();
  const text = readFileSync(tableFile, 'utf8');
  if (writes) {
    writeFileSync(tableFile, await withTable(text, tableOf(lines)));
  } else {
    const wrong = untrue(section.exec(text)?.[2] ?? '', lines);
    if (wrong.length > 0)
      problems.push(`docs/structure.md 的模块行数不对（${wrong.join('、')}），请运行 npm run structure -- --write`);
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
