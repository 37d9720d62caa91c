import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { ok, refuse } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { favouriteKey } from '#modules/workflow/workflows/contract.ts';
import { StartsContext, type Start } from '#kernel/web/registry.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { lastStartedKey } from './start/entries.ts';
import StartPage from './start/StartPage.tsx';

const server = servedPage();

const flow = (id: number, name: string, category: string, more: object = {}) => ({
  id,
  name,
  category,
  description: `${name}的说明`,
  module: null,
  module_name: '',
  can_start: true,
  why_not: '',
  ...more,
});
const letters = { module: 'documents', module_name: '公文', can_start: false, why_not: '请到“公文”页面发起' };
const flows = [
  flow(5, '发文', '公文', letters),
  flow(1, '报修', '后勤'),
  flow(2, '请假', '人事'),
  flow(3, '加班', '人事', { can_start: false, why_not: '您不在这个流程的发起范围内' }),
  flow(4, '用印', ''),
];
const ticket = (id: number, title: string, act_state_id: number) => ({
  id,
  title,
  act_state_id,
  record_path: null,
  gmt_created: '2026-03-02 09:00:00',
});
const own = [ticket(12, '没写完', actState.draft), ticket(11, '张三 年休假 3 天', actState.finished)];
const form = (key: string, name: string, page: string): Start => ({
  key,
  name,
  about: `${name}的用途`,
  category: '公文',
  to: `${page}?new=1`,
  page,
});
const forms = [
  form('document', '发文拟稿', '/ticket/new'),
  form('memo', '签报', '/memo'),
  form('secret', '密件', '/secret'),
];
const start = (
  favourites?: (number | string)[],
  saved = vi.fn(),
  kept: Record<string, unknown> = {},
  at = '/ticket/new',
) => {
  server.answers(({ path }) =>
    path === '/api/workflows/'
      ? ok({ value: flows, total: 4, page: 1, per_page: 100 })
      : path === '/api/workflows/2/init_state/'
        ? ok({ workflow_name: '请假', field_list: [], transition: [], choose: [], for_self: true, for_others: false })
        : path === '/api/tickets/'
          ? ok({ value: own, total: 2, page: 1, per_page: 5 })
          : path.endsWith('/copy/')
            ? ok({ workflow_id: 2, values: {}, people: {}, left: 1 })
            : ok({ steps: [], stop: '', periods: [] }),
  );
  const preferences = { ...(favourites && { [favouriteKey]: favourites }), ...kept };
  const page = (
    <StartsContext value={[async () => ({ default: forms })]}>
      <StartPage />
    </StartsContext>
  );
  return { saved, ...show(page, { at, codes: ['Create'], reads: ['/memo'], preferences, saved }) };
};
const names = () => screen.getAllByRole('listitem').map((one) => one.querySelector('strong')!.textContent);
const groups = async () => {
  await screen.findByRole('button', { name: /^报修/ });
  return screen.getAllByRole('heading', { level: 2 }).map((heading) => [
    heading.textContent,
    within(heading.parentElement!)
      .getAllByRole('listitem')
      .map((one) => one.querySelector('strong')!.textContent),
  ]);
};

test('workflows and the forms of modules are grouped by category, and one that cannot be started says why', async () => {
  start();
  expect(await groups()).toEqual([
    ['后勤', ['报修']],
    ['人事', ['请假', '加班']],
    ['其他', ['用印']],
    ['公文', ['发文拟稿', '签报']],
  ]);
  const closed = screen.getByRole('button', { name: /^加班/ });
  expect([closed.hasAttribute('disabled'), closed.textContent]).toEqual([true, '加班您不在这个流程的发起范围内']);
  expect(server.asked[0]?.path).toBe('/api/workflows/');
});

test('a favourite also stands at the front, is stored for the person, and can be removed', async () => {
  const { saved } = start([4]);
  expect((await groups())[0]).toEqual(['收藏', ['用印']]);
  fireEvent.click(screen.getByRole('button', { name: '收藏 请假' }));
  expect(saved).toHaveBeenLastCalledWith(favouriteKey, [4, 2]);
  expect((await groups())[0]).toEqual(['收藏', ['请假', '用印']]);
  const star = screen.getAllByRole('button', { name: '取消收藏 用印' })[0]!;
  expect(star.getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(star);
  expect(saved).toHaveBeenLastCalledWith(favouriteKey, [2]);
  expect((await groups())[0]).toEqual(['收藏', ['请假']]);
});

test('a search leaves the items that match by name, purpose, category or pinyin, and says when none does', async () => {
  start();
  await groups();
  const search = screen.getByRole('searchbox', { name: '查找可发起的事项' });
  fireEvent.change(search, { target: { value: '人事' } });
  expect(names()).toEqual(['请假', '加班']);
  fireEvent.change(search, { target: { value: 'qingj' } });
  await waitFor(() => expect(names()).toEqual(['请假']));
  fireEvent.change(search, { target: { value: '差旅' } });
  expect(screen.getByText('没有符合“差旅”的事项，请更换关键字')).toBeDefined();
});

test('a workflow of a module is started by the module’s form, and is shown as disabled to a reader without the right', async () => {
  const { address, saved } = start();
  await groups();
  expect([screen.queryByText('发文'), screen.queryByText('密件')]).toEqual([null, null]);
  const memo = screen.getByRole('button', { name: /^签报/ });
  expect(memo.hasAttribute('disabled')).toBe(true);
  expect(memo.textContent).toBe('签报您没有发起“签报”的权限，请联系管理员开通');
  fireEvent.click(screen.getByRole('link', { name: /^发文拟稿/ }));
  expect(address()).toBe('/ticket/new?new=1');
  expect(saved).toHaveBeenLastCalledWith(lastStartedKey, ['document']);
});

test('recently started forms are listed latest first, as far as they may still be started', async () => {
  const { address, saved } = start(undefined, undefined, { [lastStartedKey]: [3, 'document', 2, 99] });
  await groups();
  const last = within(screen.getByRole('navigation', { name: '最近发起' })).getAllByRole('link');
  expect(last.map((one) => one.textContent)).toEqual(['发文拟稿', '请假']);
  fireEvent.click(last[1]!);
  expect(address()).toBe('/ticket/new?workflow=2');
  expect(saved).toHaveBeenLastCalledWith(lastStartedKey, [2, 3, 'document', 99]);
});

test('below another ticket only workflows are started', async () => {
  start(undefined, undefined, {}, '/ticket/new?above=7&at=2');
  await groups();
  expect(screen.queryByText('发文拟稿')).toBeNull();
});

test('the chosen workflow is kept in the address', async () => {
  const { address } = start();
  await groups();
  fireEvent.click(screen.getByRole('button', { name: /^请假/ }));
  expect(address()).toBe('/ticket/new?workflow=2');
});

test('beside a new form stands the person’s last ticket of that kind, and its content can be taken over', async () => {
  const { address } = start(undefined, undefined, {}, '/ticket/new?workflow=2');
  fireEvent.click(await screen.findByRole('link', { name: '复制上一次：张三 年休假 3 天' }));
  expect(address()).toBe('/ticket/new?workflow=2&like=11');
  expect(await screen.findByText('原工单有 1 处附件没有带过来，需要的请重新上传')).toBeDefined();
  expect(screen.queryByText(/^复制上一次/)).toBeNull();
  const asked = server.asked.find((one) => one.path === '/api/tickets/');
  expect([asked?.query.get('category'), asked?.query.get('workflow_ids')]).toEqual(['owner', '2']);
});

/** The form of a workflow that may be started for others, whose server refuses one applicant and finds a double. */
function openForm(more: object = {}, at = '/ticket/new?workflow=2') {
  const people = [
    { id: 5, username: 'song.mingjie', alias: '宋明杰', dept_id: 1, dept_name: '计算机学院' },
    { id: 6, username: 'liu.hanlin', alias: '刘翰林', dept_id: 2, dept_name: '校领导' },
  ];
  const button = (code: string, transition_id: number, transition_name: string) => ({
    code,
    transition_id,
    transition_name,
    field_require_check: false,
  });
  const form = {
    workflow_name: '请假',
    field_list: [],
    transition: [button('save', 1, '保存'), button('submit', 2, '提交')],
    choose: [],
    applicant: { username: 'zhang.san', alias: '张三' },
    for_self: true,
    for_others: true,
    ...more,
  };
  server.answers(({ path, method, query, body }) => {
    if (path === '/api/workflows/2/init_state/') {
      const name = query.get('begin_for');
      if (name === 'liu.hanlin') return refuse(codes.forbidden, '“刘翰林”不在您可以代为发起的范围内');
      return ok(name ? { ...form, applicant: { username: name, alias: '宋明杰' } } : form);
    }
    if (path === '/api/tickets/' && method === 'POST')
      return (body as { force?: boolean }).force
        ? ok({ id: 7, sn: 'A7', ticket_id: 7, act_state: 1 })
        : { code: codes.conflict, msg: '90 天内已提交过“发票号码”相同的工单 A3', data: { can_force: true } };
    if (path.includes('/users/simple')) return ok(people);
    if (path.includes('/transitions')) return ok({ value: [] });
    if (path === '/api/tickets/') return ok({ value: [], total: 0, page: 1, per_page: 5 });
    return ok({ steps: [], stop: '', periods: [] });
  });
  show(<StartPage />, { at, codes: ['Create'] });
}
const pick = async (name: string) => {
  fireEvent.mouseDown(await screen.findByRole('combobox', { name: '申请人' }));
  fireEvent.click(await screen.findByText(name));
};
const submitting = () => screen.getByRole<HTMLButtonElement>('button', { name: '提交请假' });

test('a person who may start for others chooses the applicant, and a refusal is told beside the choice', async () => {
  openForm();
  await pick('刘翰林（校领导）');
  expect(await screen.findByText('“刘翰林”不在您可以代为发起的范围内')).toBeDefined();
  expect([submitting().disabled, screen.queryByRole('button', { name: '保存草稿' })]).toEqual([true, null]);
  await pick('宋明杰（计算机学院）');
  await waitFor(() => expect(submitting().disabled).toBe(false));
  fireEvent.click(submitting());
  await waitFor(() =>
    expect(server.asked.find((one) => one.method === 'POST' && one.path === '/api/tickets/')?.body).toMatchObject({
      begin_for: 'song.mingjie',
      transition_id: 2,
    }),
  );
});

test('an applicant in restored input is shown and sent, even if nobody may be chosen any more, until it is cleared', async () => {
  const values = { begin_for: 'song.mingjie' };
  localStorage.setItem('draft:ticket-new-2', JSON.stringify({ values, attempt: 'a', at: 1 }));
  openForm({ for_others: false });
  fireEvent.click(await screen.findByRole('button', { name: '恢复草稿' }));
  expect(await screen.findByRole('combobox', { name: '申请人' })).toBeDefined();
  await waitFor(() => expect(submitting().disabled).toBe(false));
  fireEvent.click(submitting());
  const sent = () => server.asked.find((one) => one.method === 'POST' && one.path === '/api/tickets/');
  await waitFor(() => expect(sent()?.body).toMatchObject({ begin_for: 'song.mingjie' }));
});

test('an applicant in restored input is neither shown nor sent below another ticket', async () => {
  const values = { begin_for: 'song.mingjie' };
  localStorage.setItem('draft:ticket-new-2', JSON.stringify({ values, attempt: 'a', at: 1 }));
  openForm({}, '/ticket/new?workflow=2&above=7&at=2');
  fireEvent.click(await screen.findByRole('button', { name: '恢复草稿' }));
  fireEvent.click(submitting());
  const sent = () => server.asked.find((one) => one.method === 'POST' && one.path === '/api/tickets/');
  await waitFor(() => expect(sent()?.body).toMatchObject({ parent_ticket_id: 7 }));
  expect(sent()!.body).not.toHaveProperty('begin_for');
  expect(screen.queryByRole('combobox', { name: '申请人' })).toBeNull();
});

test('whoever may start a workflow only for others must choose an applicant before submitting', async () => {
  openForm({ for_self: false });
  await screen.findByRole('combobox', { name: '申请人' });
  expect(submitting().disabled).toBe(true);
  await pick('宋明杰（计算机学院）');
  await waitFor(() => expect(submitting().disabled).toBe(false));
});

test('a possible double is asked about, and submitted after the person has said that they mean it', async () => {
  openForm({ for_others: false });
  await screen.findByRole('button', { name: '提交请假' });
  expect(screen.queryByRole('combobox', { name: '申请人' })).toBeNull();
  fireEvent.click(submitting());
  const question = await screen.findByRole('dialog');
  expect(question.textContent).toContain('90 天内已提交过“发票号码”相同的工单 A3');
  fireEvent.click(within(question).getByRole('button', { name: '仍要提交' }));
  const sent = () => server.asked.filter((one) => one.method === 'POST' && one.path === '/api/tickets/');
  await waitFor(() => expect(sent().map(({ body }) => (body as { force?: boolean }).force)).toEqual([undefined, true]));
});
