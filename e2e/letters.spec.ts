import { expect, test, type Browser, type Page } from '@playwright/test';
import { caller, enter, type Caller } from './office.ts';

const action = (page: Page, name: string) =>
  page.locator('footer[aria-label=操作]').getByRole('button', { name, exact: true });
const head = (page: Page) => page.locator('.kit-detail-head');

/** What is tried again meets what the first try left. */
const seasons = ['冬季', '夏季'];

/** The windows of some people, opened when they are first needed. */
function windowsOf(browser: Browser, origin: string | undefined) {
  const open = new Map<string, { page: Page; who: Caller }>();
  const of = async (name: string) => {
    const known = open.get(name);
    if (known) return known;
    const who = await caller(origin, name);
    const made = { who, page: await enter(browser, origin, who.token) };
    open.set(name, made);
    return made;
  };
  return { of, close: () => Promise.all([...open.values()].map(({ page }) => page.context().close())) };
}

/** Opens a document out of one's own list of things to do, says something and presses a button. */
async function decide(page: Page, title: string, button: string, words = ''): Promise<void> {
  await page.goto(`/document/list?search_value=${encodeURIComponent(title)}`);
  await page.getByRole('button', { name: new RegExp(`${title}$`) }).click();
  await expect(head(page)).toContainText(title);
  if (words) await page.getByLabel('意见', { exact: true }).fill(words);
  await press(page, button);
}

async function press(page: Page, button: string): Promise<void> {
  await action(page, button).click();
  const question = page.getByRole('dialog').getByRole('button', { name: button, exact: true });
  await expect(action(page, button).or(question).first())
    .toBeHidden({ timeout: 1000 })
    .catch(() => question.click());
  await expect(action(page, button)).toHaveCount(0);
}

test('a letter goes from its draft over a return and a joint signature to its number and to its readers', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000);
  const { of, close } = windowsOf(browser, baseURL);
  const office = await of('zhao.yan');
  const rules = (await office.who.ask('GET', '/api/document/number_rule/')).data.value as { id: number }[];
  const season = seasons[test.info().retry];
  const category = { name: `${season}来往`, code: `HQ${test.info().retry}`, doc_kind: 1, number_rule_id: rules[0]!.id };
  expect(await office.who.ask('POST', '/api/document/category/', category)).toMatchObject({ code: 0 });

  const title = `关于${season}值班安排的通知`;
  const { page: author } = await of('shen.lijuan');
  await author.goto('/document/list?new=1');
  await author.getByLabel('标题').fill(title);
  await author.getByLabel('类别').click();
  await author.locator('.ant-select-item-option', { hasText: category.name }).click();
  await author.getByLabel('发文机关').fill('示范大学');
  await author.getByLabel('主送').fill('各学院');
  await author.keyboard.press('Enter');
  await author.getByRole('textbox', { name: '正文' }).fill('寒假期间各部门安排专人值班。');
  await author.getByLabel('会签部门').click();
  for (const dept of ['财务处', '人事处'])
    await author.locator('.ant-select-tree-node-content-wrapper', { hasText: dept }).click();
  await author.keyboard.press('Escape');
  await author.getByRole('button', { name: '提交公文' }).click();
  await expect(author).toHaveURL(/\/document\/detail\/\d+/);
  const address = new URL(author.url()).pathname;

  // One of the two who sign together refuses: it comes back, is mended and goes round again.
  await decide((await of('guo.zhenhua')).page, title, '同意', '请会签部门看看');
  await decide((await of('zheng.yonghui')).page, title, '退回拟稿人', '请写明值班补助');
  await author.goto(address);
  await expect(head(author)).toContainText('已退回');
  await author.getByRole('button', { name: '编辑', exact: true }).click();
  await author.getByRole('textbox', { name: '正文' }).fill('寒假期间各部门安排专人值班，补助按规定发放。');
  await author.getByRole('button', { name: '保存公文' }).click();
  await expect(author.getByText('补助按规定发放')).toBeVisible();
  await press(author, '提交');
  await expect(head(author)).toContainText('进行中');
  await decide((await of('guo.zhenhua')).page, title, '同意');
  await decide((await of('zheng.yonghui')).page, title, '同意', '同意');
  await decide((await of('wang.liping')).page, title, '同意', '同意');

  await decide(office.page, title, '同意', '格式已核');
  await decide((await of('gao.jianjun')).page, title, '同意');
  await decide((await of('zhou.zhiyuan')).page, title, '签发', '同意印发');
  await decide(office.page, title, '复核通过', '与签发稿一致');
  await decide(office.page, title, '登记编号');
  await decide((await of('chen.guodong')).page, title, '已用印');
  await decide(office.page, title, '已印发');
  await office.page.goto(address);
  await expect(head(office.page)).toContainText('已完成');
  await expect(office.page.getByText(/\S〔\d{4}〕\d+号/).first()).toBeVisible();

  // Given out, it is read by whoever opens it; the office sees who has not.
  await office.page.getByRole('button', { name: '分发', exact: true }).click();
  const giving = office.page.getByRole('dialog', { name: `分发《${title}》` });
  await giving.getByLabel('接收人').click();
  await office.page.locator('.ant-select-tree-node-content-wrapper', { hasText: '财务处' }).last().click();
  await office.page.keyboard.press('Escape');
  await giving.getByLabel('分发说明').fill('请安排值班');
  await giving.getByRole('button', { name: '分发公文' }).click();
  await expect(office.page).toHaveURL(/\/document\/dist\/detail\/\d+/);
  const { page: reader } = await of('yuan.xiaoting');
  await reader.goto('/document/dist');
  await reader.getByRole('button', { name: new RegExp(`${title}$`) }).click();
  await expect(reader.getByText('补助按规定发放')).toBeVisible();
  await office.page.reload();
  const matrix = office.page.getByRole('region', { name: '阅读情况' });
  await expect(matrix).toContainText('财务处');
  await expect(matrix).toContainText('谢春梅');
  await expect(matrix).not.toContainText('袁晓婷');
  await close();
});

test('an incoming letter is registered, proposed, decided, carried out, answered, and its completion confirmed', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000);
  const { of, close } = windowsOf(browser, baseURL);
  const title = `关于报送${seasons[test.info().retry]}用电情况的通知`;
  const { page: clerk } = await of('sun.jiahui');
  await clerk.goto('/document/list?new=2');
  await clerk.getByLabel('标题').fill(title);
  await clerk.getByLabel('来文单位').fill('市供电局');
  await clerk.getByLabel('来文字号').fill('供电〔2026〕31号');
  await clerk.getByLabel('收文日期').fill('2026-11-20');
  await clerk.getByRole('button', { name: '提交公文' }).click();
  await expect(clerk).toHaveURL(/\/document\/detail\/\d+/);
  const address = new URL(clerk.url()).pathname;
  await expect(clerk.getByText(/收〔\d{4}〕\d+号/).first()).toBeVisible();

  const office = (await of('zhao.yan')).page;
  await decide(office, title, '符合规则');
  await office.goto(address);
  await office.getByLabel('承办人或传阅对象').fill('guozhenhua');
  await office.getByTitle('郭振华（后勤保障处）').click();
  await office.keyboard.press('Escape');
  await press(office, '送批示');
  await decide((await of('zhou.zhiyuan')).page, title, '批示', '请后勤保障处办理');
  await decide((await of('guo.zhenhua')).page, title, '办理完毕', '已汇总用电情况');
  await decide(office, title, '已答复');
  await clerk.goto(address);
  await expect(head(clerk)).toContainText('已完成');
  await action(clerk, '申请办结').click();
  const asking = clerk.getByRole('dialog', { name: '申请办结' });
  await asking.getByLabel('办理结果').fill('用电情况已报市供电局');
  await asking.getByRole('button', { name: '申请办结' }).click();
  await expect(head(clerk)).toContainText('申请办结');
  await decide(office, title, '确认办结');
  await clerk.reload();
  await expect(head(clerk)).toContainText('已关闭');
  await close();
});
