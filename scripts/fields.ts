// A field is said once, in the schema of its row (decision 0231): no list and no sheet types what it is called again.

/** Columns with a word of their own, by file and key, and why: they show more than a field, or what no schema says. */
export const ownTitles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kernel/web/kit/list/rows/ListTable.tsx': { '#': 'numbers the rows', '…': 'holds the buttons of a row' },
  'kernel/web/kit/tree/TreePage.tsx': { name: 'every tree has one', act: 'holds the buttons of a row' },
  'kernel/web/kit/tree/TreeTable.tsx': { name: 'every tree has one' },
  'modules/office/activities/web/columns.tsx': {
    start_time: 'the time from beginning to end',
    in_count: 'people of the house and others',
  },
  'modules/office/contracts/web/list/columns.tsx': {
    term_end: 'the term from beginning to end',
    nodes_done: 'done of how many, and how many are late',
    paid: 'what is paid and what is not',
    backdated: 'all marks of a contract',
  },
  'modules/office/distributions/web/columns.tsx': { recalled_at: 'where it stands: given out or taken back' },
  'modules/office/documents/web/columns.tsx': {
    title: 'its number stands below',
    from_org: 'whoever sent it, or the department that wrote it',
  },
  'modules/office/documents/web/settings/Categories.tsx': { kind: 'a tree of its own', status: 'a tree of its own' },
  'modules/office/duty/web/DutyPage.tsx': {
    work_from: 'the hours of a working day',
    rest_from: 'the hours of other days',
  },
  'modules/office/leaders/web/SchedulesPage.tsx': {
    start_time: 'the time from beginning to end',
    marks: 'all marks of a schedule',
  },
  'modules/office/meetings/web/AttendPage.tsx': { room_name: 'a room or another place', role: 'of what is mine of it' },
  'modules/office/meetings/web/columns.tsx': {
    room_name: 'a room or another place',
    coming: 'who comes, is excused, has not answered',
  },
  'modules/office/stamps/web/ledger/LedgerPage.tsx': {
    real_copies: 'copies and pages',
    dept_name: 'the department and who brought it',
    marks: 'all marks of a sealing',
  },
  'modules/office/stamps/web/use/columns.tsx': { appoint: 'times of its seals' },
  'modules/platform/accounts/web/online/OnlinePage.tsx': { alias: 'the name and the account' },
  'modules/platform/audit/web/LogList.tsx': { username: 'the name and the account' },
  'modules/platform/audit/web/SignInLog.tsx': { username: 'the name and the account' },
  'modules/platform/deliveries/web/JobPage.tsx': { actions: 'holds the buttons of a row' },
  'modules/platform/people/web/depts/DeptPage.tsx': {
    type: 'a tree of its own',
    leader: 'a tree of its own',
    dept_ld: 'a tree of its own',
    status: 'a tree of its own',
    act: 'holds the buttons of a row',
  },
  'modules/platform/people/web/depts/DeptTree.tsx': { id: 'the component is told where its title is' },
  'modules/platform/rooms/web/RoomPage.tsx': { building: 'building, floor and number' },
  'modules/platform/sms/web/OptOutDrawer.tsx': { mobile: 'masked, in a drawer', action: 'holds the buttons of a row' },
  'modules/platform/tokens/web/TokenPage.tsx': {
    id: 'that of a token is told to others',
    apis: 'how many',
    status: 'in words what the form asks by a switch',
  },
  'modules/services/customers/web/CustomerDetail.tsx': {
    name: 'a table of contracts, told in parts',
    no: 'a table of contracts, told in parts',
    stage: 'a table of contracts, told in parts',
    amount: 'a table of contracts, told in parts',
    sign: 'a table of contracts, told in parts',
  },
  'modules/services/monitors/web/WindowsPage.tsx': { starts_at: 'when it comes and how long it lasts' },
  'modules/workflow/tickets/web/lists/columns.tsx': { waited: 'goes on while it is looked at' },
};

const typed = [/\{\s*key: '([^']+)',\s*(?:title|heading): ['`]/g, /\b(\w+): \{\s*heading: ['`]/g];
const typedSheet = /\bexports: \{[^;]{0,200}?\bcolumns: \[\s*\{\s*key:|\bexportColumns = \[/;

/** The keys of columns whose title is typed in a text, each once. */
export const titledKeys = (text: string): string[] => [
  ...new Set(typed.flatMap((pattern) => [...text.matchAll(pattern)].map(([, key]) => key!))),
];

/** What of a file's columns is called something that its row's schema says, or ought to. */
export function typedTitles(file: string, text: string): string[] {
  if (!file.endsWith('.tsx'))
    return /\/contract[/.]/.test(file) && typedSheet.test(text)
      ? ['导出的列请用 sheetColumns 从行的字段得出，不要另写标题']
      : [];
  return titledKeys(text)
    .filter((key) => ownTitles[file]?.[key] === undefined)
    .map((key) => `列“${key}”的标题请写在行的字段上（.meta(field(…))），确为自己的写进 ownTitles 并说明原因`);
}

/** Reasons for what stands nowhere any more; the text of a file that is gone is undefined. */
export const needless = (textOf: (file: string) => string | undefined): string[] =>
  Object.entries(ownTitles).flatMap(([file, keys]) => {
    const there = titledKeys(textOf(file) ?? '');
    return Object.keys(keys)
      .filter((key) => !there.includes(key))
      .map((key) => `${file}：列“${key}”没有自己的标题，请从 ownTitles 中删去`);
  });
