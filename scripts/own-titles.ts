// Titles that differ from those of the schema, or that no schema has (decision 0231).

/**
 * Words of their own, by file and key, and why: they show more than a field, or what no schema says. What stands in several places of a
 * file has a reason for each; what is no literal is known by its expression.
 */
export const ownTitles: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>> = {
  'kernel/contract/figures.ts': { name: 'what the rows of figures are counted by' },
  'kernel/web/kit/SheetDialog.tsx': {
    row: 'lines of a sheet that are wrong',
    field: 'lines of a sheet that are wrong',
    msg: 'lines of a sheet that are wrong',
  },
  'kernel/web/kit/form/fields.ts': { '‹name›': 'gives fields their names' },
  'kernel/web/kit/list/rows/ListTable.tsx': { '#': 'numbers the rows' },
  'kernel/web/kit/tree/MoveDrawer.tsx': { parent: 'named after the noun', before: 'a place among neighbours' },
  'kernel/web/kit/tree/TreePage.tsx': {
    name: ['every tree has one', 'every node of it has one'],
    parent: 'named after the noun',
  },
  'kernel/web/kit/tree/TreeTable.tsx': { name: 'every tree has one' },
  'modules/office/activities/web/ActivityPage.tsx': {
    start_time: 'the time from beginning to end',
    in_count: 'people of the house and others',
    is_online: 'where, by which link, who lets in',
    publicity_plan: 'the plan, and whether it is reported',
  },
  'modules/office/activities/web/columns.tsx': {
    start_time: 'the time from beginning to end',
    in_count: 'people of the house and others',
  },
  'modules/office/contracts/web/CategoryPage.tsx': { out_steps: 'the steps of either direction' },
  'modules/office/contracts/web/detail/Facts.tsx': {
    paid: 'what is paid and what is not, by direction',
    term_end: 'the term from beginning to end',
    undertaker_alias: 'the department and the person',
    copies_total: 'how many there are and how many are ours',
  },
  'modules/office/contracts/web/draft/fields.tsx': {
    parent_id: 'the contract that is changed, or the framework',
    tax_rate: 'with its unit',
  },
  'modules/office/contracts/web/list/columns.tsx': {
    term_end: 'the term from beginning to end',
    nodes_done: 'done of how many, and how many are late',
    paid: 'what is paid and what is not',
  },
  'modules/office/contracts/web/performing/CashFlow.tsx': {
    month: 'reckoned on the page',
    count: 'reckoned on the page',
  },
  'modules/office/distributions/web/columns.tsx': { recalled_at: 'where it stands: given out or taken back' },
  'modules/office/documents/web/columns.tsx': {
    title: 'its number stands below',
    from_org: 'whoever sent it, or the department that wrote it',
  },
  'modules/office/documents/web/RegisterPage.tsx': { from_org: 'its number stands below' },
  'modules/office/documents/web/edit/NewDocument.tsx': { submit: 'a choice of the form, of no document' },
  'modules/office/documents/web/edit/fields.tsx': { co_depts: 'of a letter that goes out they sign' },
  'modules/office/documents/web/show/DocumentFacts.tsx': {
    co_depts_info: 'of a letter that goes out they sign',
    opinions: 'those of the departments that sign',
    print_org: 'who, when, how many',
  },
  'modules/office/duty/web/DutyPage.tsx': {
    work_from: 'the hours of a working day',
    rest_from: 'the hours of other days',
  },
  'modules/office/leaders/web/SchedulePage.tsx': {
    start_time: 'the time from beginning to end',
    address: 'of a trip it is where to',
  },
  'modules/office/leaders/web/SchedulesPage.tsx': {
    start_time: 'the time from beginning to end',
    marks: 'all marks of a schedule',
  },
  'modules/office/leaders/web/fields.tsx': { day: 'shows what else is on that day' },
  'modules/office/meetings/web/AttendPage.tsx': { room_name: 'a room or another place', role: 'of what is mine of it' },
  'modules/office/meetings/web/columns.tsx': {
    room_name: 'a room or another place',
    coming: 'who comes, is excused, has not answered',
    timeColumn: 'the time from beginning to end',
  },
  'modules/office/meetings/web/form/MeetForm.tsx': { remind: 'chosen in words, without its unit' },
  'modules/office/meetings/web/one/MeetPage.tsx': {
    start_time: 'the time from beginning to end',
    room_name: 'a room or another place',
    dept: 'of the card of the person',
  },
  'modules/office/stamps/web/ledger/LedgerPage.tsx': {
    real_copies: 'copies and pages',
    dept_name: 'the department and who brought it',
    marks: 'all marks of a sealing',
    '‹key›': 'a flag is its own only choice',
  },
  'modules/office/stamps/web/scan/ScanPage.tsx': { '‹label›': 'the server says what it found' },
  'modules/office/stamps/web/seals/StampPage.tsx': { shape: 'the shape and the size' },
  'modules/office/stamps/web/use/ApplicationPage.tsx': {
    serial_from: 'from the first number to the last',
    borrow_start: 'when, where and with whom',
  },
  'modules/office/stamps/web/use/columns.tsx': { appoint: 'times of its seals' },
  'modules/office/supervision/web/DetailPage.tsx': { light: 'why it is what it is' },
  'modules/platform/access/web/menus/MenuPage.tsx': { menuPermission: 'every window loads that contract' },
  'modules/platform/accounts/web/online/OnlinePage.tsx': { alias: 'the name and the account' },
  'modules/platform/audit/web/LogDrawer.tsx': { username: 'the name and the account' },
  'modules/platform/audit/web/LogList.tsx': { username: 'the name and the account' },
  'modules/platform/audit/web/SignInLog.tsx': { username: 'the name and the account' },
  'modules/platform/deliveries/web/DeliveryDrawer.tsx': { due_at: 'when it is tried again' },
  'modules/platform/letterheads/web/Letterheads.tsx': { looks: 'a preview' },
  'modules/platform/people/web/PersonPage.tsx': { '‹duty›': 'what somebody is to others is named by the server' },
  'modules/platform/people/web/roles/GrantTable.tsx': {
    菜单与权限: 'a table of menus by permissions',
    菜单: 'a table of menus by permissions',
    权限: 'a table of menus by permissions',
    整行: 'a table of menus by permissions',
  },
  'modules/platform/rooms/web/RoomDrawer.tsx': { building: 'building, floor and number' },
  'modules/platform/rooms/web/RoomPage.tsx': { building: 'building, floor and number' },
  'modules/platform/sms/web/SendPage.tsx': {
    group: 'fills in the people of a group',
    counted: 'shows what it will cost',
  },
  'modules/platform/tokens/web/TokenPage.tsx': {
    id: 'that of a token is told to others',
    apis: 'how many',
    status: 'in words what the form asks by a switch',
  },
  'modules/services/customers/web/CustomerDetail.tsx': { '‹title›': 'each as its form calls it' },
  'modules/services/customers/web/ProjectDetail.tsx': { start_date: 'from the first day to the last' },
  'modules/services/monitors/web/MonitorPanel.tsx': { uptime_24h: 'of a day and of thirty' },
  'modules/services/monitors/web/ReportPage.tsx': {
    uptime: 'against what is promised',
    deleted_looks: 'looks and incidents',
  },
  'modules/services/monitors/web/WindowsPage.tsx': { starts_at: 'when it comes and how long it lasts' },
  'modules/services/orders/web/DetailPage.tsx': { actions: 'buttons, whose heading is only read aloud' },
  'modules/services/orders/web/parts/actions.tsx': { '‹one.alias›': 'some acts ask otherwise' },
  'modules/services/photos/web/DetailPage.tsx': {
    uploader_name: 'who, of where and when',
    width: 'the width and the height',
  },
  'modules/services/photos/web/ManagePage.tsx': { answer: 'asked of a refusal alone' },
  'modules/workflow/tickets/web/lists/columns.tsx': { waited: 'goes on while it is looked at' },
};
