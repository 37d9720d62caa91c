import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { caller, enter, test, type Caller } from './office.ts';

const node = (page: Page, name: string): Locator => page.locator('.react-flow__node').filter({ hasText: name });
const middle = async (of: Locator) => {
  const box = await of.boundingBox();
  if (!box) throw new Error('nothing there');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};
/** Presses at one point, moves to another in steps and releases. */
async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}
const flowNamed = async (who: Caller, name: string): Promise<number> => {
  const { data } = await who.ask('GET', '/api/workflows/?per_page=100');
  return data.value.find((flow: { name: string }) => flow.name === name).id;
};
const form = { kind: 'personal', from: '2026-12-01', to: '2026-12-02', days: 2, reason: '办事' };

test('a workflow is exported, imported, changed with the mouse, compared, and its tickets are migrated', async ({
  browser,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const page = await enter(browser, baseURL, admin.token);
  await page.goto('/ticket/workflow');
  await page.getByRole('button', { name: '更多操作：请假申请' }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: '导出文件' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe('请假申请.json');

  const [choosing] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: '从文件导入' }).click(),
  ]);
  await choosing.setFiles({
    name: '请假申请.json',
    mimeType: 'application/json',
    buffer: readFileSync(await file.path()),
  });
  const adding = page.getByRole('dialog', { name: '导入流程' });
  await adding.getByLabel('名称').fill('导入的请假');
  await adding.getByRole('button', { name: '导入流程' }).click();
  await expect(node(page, '部门负责人审批')).toBeVisible();
  const id = await flowNamed(admin, '导入的请假');
  expect(await admin.ask('POST', `/api/workflows/${id}/publish/`, {})).toMatchObject({ code: 0 });
  const clerk = await caller(baseURL, 'qin.haoyu');
  const begun = await clerk.ask('POST', '/api/tickets/', { workflow_id: id, transition_id: 2, ...form });
  expect(begun).toMatchObject({ code: 0 });

  // With the mouse: a node is moved, a new one added from the palette, a line drawn from node to node.
  await page.reload();
  const head = node(page, '部门负责人审批');
  const at = await middle(head);
  await drag(page, at, { x: at.x, y: at.y + 60 });
  await expect.poll(async () => (await middle(head)).y).toBeGreaterThan(at.y + 20);
  await page
    .getByRole('toolbar', { name: '添加环节' })
    .getByRole('button', { name: '抄送', exact: true })
    .dragTo(page.locator('.designer-canvas'), { targetPosition: { x: 60, y: 60 } });
  const copy = page.locator('.react-flow__node.selected, .react-flow__node:has(.flow-selected)');
  await expect(copy).toContainText('抄送');
  const links = page.locator('.react-flow__edge');
  const before = await links.count();
  const handle = copy.locator('.react-flow__handle[data-handleid=right]');
  await copy.hover();
  await drag(page, await middle(handle), await middle(node(page, '结束').or(node(page, '完成')).first()));
  await expect(links).toHaveCount(before + 1);
  await page.getByRole('button', { name: '撤销', exact: true }).click();
  await expect(links).toHaveCount(before);
  await page.getByRole('button', { name: '撤销', exact: true }).click();
  await expect(node(page, '抄送')).toHaveCount(0);
  // A node inserted into a line by its button is connected at once.
  await page
    .getByRole('button', { name: /^在流转.*上添加环节$/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: '抄送' }).click();
  await expect(node(page, '抄送')).toHaveCount(1);
  await expect(links).toHaveCount(before + 1);
  await page.getByRole('button', { name: '撤销', exact: true }).click();
  await expect(node(page, '抄送')).toHaveCount(0);

  // A new version: running tickets stay on theirs until they are moved.
  const { data: design } = await admin.ask('GET', `/api/workflows/${id}/`);
  const states = design.definition.states.map((state: { id: number; name: string }) =>
    state.id === 2 ? { ...state, name: '处长审批' } : state,
  );
  const changed = await admin.ask('PATCH', `/api/workflows/${id}/`, { definition: { ...design.definition, states } });
  expect(changed).toMatchObject({ code: 0 });
  expect(await admin.ask('POST', `/api/workflows/${id}/publish/`, { note: '改名' })).toMatchObject({ code: 0 });

  const fresh = await enter(browser, baseURL, admin.token);
  await fresh.goto('/ticket/workflow?search_value=导入的请假');
  await fresh.getByRole('button', { name: '版本', exact: true }).click();
  const versions = fresh.getByRole('dialog', { name: '“导入的请假”的版本' });
  const compared = versions.getByRole('region', { name: '版本对照' });
  await expect(compared).toContainText('处长审批');
  await expect(compared.getByText('修改', { exact: true }).first()).toBeVisible();
  await versions.getByRole('button', { name: '迁移工单' }).click();
  const wizard = fresh.getByRole('dialog', { name: '迁移到第 2 版' });
  await expect(wizard).toContainText('可以迁移 1 张');
  await wizard.getByRole('button', { name: '迁移 1 张工单' }).click();
  await expect(wizard.getByText('已迁移 1 张工单')).toBeVisible();
  const ticket = await clerk.ask('GET', `/api/tickets/${begun.data.id}/`);
  expect(ticket.data.value.state.state_name).toBe('处长审批');
});

test('a decision is signed by hand where its state requires it, and the signature is in the log', async ({
  browser,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const { data: design } = await admin.ask('GET', `/api/workflows/${await flowNamed(admin, '请假申请')}/`);
  const states = design.definition.states.map((state: { id: number; actions: string[] }) =>
    state.id === 2 ? { ...state, actions: [...state.actions, 'sign'] } : state,
  );
  const settings = { ...design.definition.settings, number_rule: { prefix: 'QM', digits: 4, period: 'day' } };
  const definition = { ...design.definition, states, settings };
  const made = await admin.ask('POST', '/api/workflows/', { name: '签名请假', definition });
  expect(await admin.ask('POST', `/api/workflows/${made.data.id}/publish/`, {})).toMatchObject({ code: 0 });
  const clerk = await caller(baseURL, 'qin.haoyu');
  const begun = await clerk.ask('POST', '/api/tickets/', { workflow_id: made.data.id, transition_id: 2, ...form });

  const page = await enter(browser, baseURL, (await caller(baseURL, 'song.mingjie')).token);
  await page.goto(`/ticket/detail/${begun.data.id}`);
  await page.locator('footer[aria-label=操作]').getByRole('button', { name: '同意', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: '手写签名' });
  await sheet.getByRole('button', { name: '签名并同意' }).click();
  await expect(sheet.getByRole('alert')).toContainText('请先在框内签名');
  const box = await sheet.getByLabel('签名框').boundingBox();
  if (!box) throw new Error('no sheet');
  const ink = () =>
    sheet.getByLabel('签名框').evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value, at) => at % 4 === 0 && value < 128);
    });
  // A rotated phone changes the size of the sheet: its content stays.
  const turned = async () => {
    for (const width of [700, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(async () => (await sheet.getByLabel('签名框').boundingBox())?.x).not.toBe(box.x);
      expect(await ink()).toBe(true);
      box.x = (await sheet.getByLabel('签名框').boundingBox())!.x;
    }
  };
  await sheet.getByLabel('输入姓名代替手写').fill('宋明杰');
  await turned();
  await sheet.getByRole('button', { name: '重写' }).click();
  expect(await ink()).toBe(false);
  const at = (await sheet.getByLabel('签名框').boundingBox())!;
  await drag(page, { x: at.x + 40, y: at.y + 60 }, { x: at.x + 240, y: at.y + 160 });
  await turned();
  await sheet.getByRole('button', { name: '签名并同意' }).click();
  const signed = page.getByRole('region', { name: '流转记录' }).getByRole('img', { name: '宋明杰 的签名' });
  await expect(signed).toBeVisible();
  await expect.poll(() => signed.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expect(page.locator('.ticket-sheet img[alt="宋明杰 的签名"]')).toHaveCount(1);
});
