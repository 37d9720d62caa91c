import { expect } from '@playwright/test';
import { test } from './office.ts';
import {
  designLeave,
  node,
  panel,
  problems,
  publishLeave,
  runLeave,
  setOut,
  simulateLeave,
  type Journey,
} from './leave-journey.ts';

/** A node shows that it continues automatically; a problem is marked on it and listed, and undone with the keyboard. */
async function tryOut(way: Journey): Promise<void> {
  const { page } = way;
  const state = panel(way);
  await node(way, '校领导会签').click();
  await state.getByRole('button', { name: '同意 → 完成' }).click();
  await state.getByLabel('多久无人操作后自动执行').fill('48');
  await expect(node(way, '校领导会签')).toContainText('2 天后自动“同意”');
  await state.getByRole('button', { name: '删除流转' }).click();
  await expect(node(way, '校领导会签').getByRole('img', { name: /个问题/ })).toBeVisible();
  await problems(way)
    .getByRole('button', { name: /没有出口/ })
    .first()
    .click();
  await expect(state).toHaveAccessibleName('环节“校领导会签”');
  await node(way, '校领导会签').focus();
  await page.keyboard.press('Control+z');
  await expect(problems(way)).toContainText('没有发现问题');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('草稿已保存，尚未发布')).toBeVisible();
}

test('an administrator designs a leave workflow from nothing, publishes and simulates it, and five people use it', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(500_000);
  const way = await setOut(browser, baseURL, '外出请假');
  await designLeave(way);
  await tryOut(way);
  await publishLeave(way);
  await simulateLeave(way);
  await runLeave(way);
});
