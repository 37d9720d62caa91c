import { expect, type Page } from '@playwright/test';
import { tab, test, turnsAt } from './office.ts';

// Long tests that are independent of each other.
test.describe.configure({ mode: 'parallel', timeout: 400_000 });

const action = (page: Page, name: string) =>
  page.locator('footer[aria-label=操作]').getByRole('button', { name, exact: true });
const head = (page: Page) => page.locator('.kit-detail-head');

/** The day so many days from now, in the form of a date input. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A retry finds the remains of the first try, so it uses another title. */
const seasons = ['冬季', '夏季'];

/** Opens a document from the person's own list. */
async function find(page: Page, title: string): Promise<void> {
  await page.goto(`/document/list?search_value=${encodeURIComponent(title)}`);
  await page.getByRole('link', { name: new RegExp(`${title}$`) }).click();
  await expect(head(page)).toContainText(title);
}

/** Writes a comment on the open document and presses a button. */
async function decide(page: Page, button: string, words = ''): Promise<void> {
  if (words) await page.getByLabel('意见', { exact: true }).fill(words);
  // The buttons disappear for a moment before anything is sent.
  const taken = page.waitForResponse(
    (answer) => answer.request().method() !== 'GET' && /\/api\/(tickets|document)\//.test(answer.url()),
  );
  await action(page, button).click();
  const question = page.getByRole('dialog').getByRole('button', { name: button, exact: true });
  const gone = async () => (await action(page, button).count()) === 0;
  await expect.poll(async () => (await question.isVisible()) || gone(), { intervals: [50] }).toBe(true);
  if (await question.isVisible()) await question.click();
  await taken;
  await expect(action(page, button)).toHaveCount(0);
}

test('a letter goes from its draft through a return and a joint signature to its number and its readers', async ({
  page,
  baseURL,
}) => {
  const turn = turnsAt(page, baseURL);
  const season = seasons[test.info().retry];
  const title = `关于${season}值班安排的通知`;
  await turn('shen.lijuan');
  await page.goto('/document/list?new=1');
  await page.getByLabel('标题').fill(title);
  await page.getByLabel('发文机关', { exact: true }).fill('示范大学');
  await page.getByTitle('示范大学', { exact: true }).click();
  await page.getByLabel('主送').fill('各学院');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: '正文' }).fill('寒假期间各部门安排专人值班。');
  await page.getByLabel('会签部门').click();
  for (const dept of ['财务处', '人事处'])
    await page.locator('.ant-select-tree-node-content-wrapper', { hasText: dept }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '提交公文' }).click();
  await expect(page).toHaveURL(/\/document\/detail\/\d+/);
  const address = new URL(page.url()).pathname;
  /** Opens the letter as a person; `decide` waits for their buttons. */
  const opens = async (name: string) => {
    await turn(name);
    await page.goto(address);
  };

  // One of the two cosigners refuses: the letter comes back, is corrected and goes round again.
  await turn('guo.zhenhua');
  await find(page, title);
  await decide(page, '同意', '请会签部门看看');
  await opens('zheng.yonghui');
  await decide(page, '退回拟稿人', '请写明值班补助');
  await opens('shen.lijuan');
  await expect(head(page)).toContainText('已退回');
  await page.getByRole('button', { name: '编辑', exact: true }).click();
  await page.getByRole('textbox', { name: '正文' }).fill('寒假期间各部门安排专人值班，补助按规定发放。');
  await page.getByRole('button', { name: '保存公文' }).click();
  await expect(page.getByLabel('正文', { exact: true }).getByText('补助按规定发放')).toBeVisible();
  await decide(page, '提交');
  await expect(head(page)).toContainText('待审');
  await opens('guo.zhenhua');
  await decide(page, '同意');
  for (const name of ['zheng.yonghui', 'wang.liping']) {
    await opens(name);
    await decide(page, '同意', '同意');
  }

  // Nobody was named to sign: the office chooses, and the other leaders are not asked.
  await opens('zhao.yan');
  await page.getByLabel('签发人').fill('zhouzhiyuan');
  await page.getByTitle('周志远（校领导）').click();
  await decide(page, '同意', '格式已核');
  await opens('gao.jianjun');
  await decide(page, '同意');
  await opens('zhao.yan');
  await expect(head(page)).toContainText('等待 周志远');
  await opens('zhou.zhiyuan');
  await decide(page, '签发', '同意印发');
  await opens('zhao.yan');
  await decide(page, '复核通过', '与签发稿一致');

  // The agency code was left open: it is chosen when the number is assigned.
  await opens('zhao.yan');
  await page.getByLabel('机关代字').click();
  await page.locator('.ant-select-item-option', { hasText: '校发' }).click();
  await expect(page.getByText('编号方式已保存')).toBeVisible();
  await decide(page, '登记编号');
  // The printer and date can be set before it is sealed; values that nobody changes are kept as shown.
  await opens('chen.guodong');
  const colophon = page.getByRole('region', { name: '版记' });
  await expect(colophon).toContainText(/示范大学党政办公室.*\d{4}-\d\d-\d\d/s);
  await colophon.getByRole('button', { name: '修改版记' }).click();
  const changing = page.getByRole('dialog', { name: '修改版记' });
  await expect(changing.getByLabel('印发机关')).toHaveValue('示范大学党政办公室');
  await changing.getByLabel('印发份数').fill('30');
  await changing.getByRole('button', { name: '保存版记' }).click();
  await expect(page.getByText('版记已保存')).toBeVisible();
  await expect(changing).toHaveCount(0);
  await decide(page, '已用印');
  await opens('zhao.yan');
  // This ends the document, so it is confirmed first.
  await action(page, '已印发').click();
  const sure = page.getByRole('dialog').filter({ hasText: '公文随即办结' });
  await sure.getByRole('button', { name: '取消' }).click();
  await expect(sure).toHaveCount(0);
  await expect(head(page)).toContainText('印发分发');
  // It may be distributed already, because it is signed, numbered and sealed.
  await expect(page.getByRole('button', { name: '分发', exact: true })).toBeVisible();
  await decide(page, '已印发');
  await expect(head(page)).toContainText('已通过');
  await expect(page.getByRole('region', { name: '公文要素' })).toContainText(
    /示范大学党政办公室 \d{4}-\d\d-\d\d 30 份/,
  );
  await expect(page.getByText(/校发〔\d{4}〕\d+号/).first()).toBeVisible();

  // After the distribution it counts as read when opened; the office sees who has not read it.
  await page.getByRole('button', { name: '分发', exact: true }).click();
  const giving = page.getByRole('dialog', { name: `分发《${title}》` });
  await giving.getByLabel('接收人').click();
  await page.locator('.ant-select-tree-node-content-wrapper', { hasText: '财务处' }).last().click();
  await page.keyboard.press('Escape');
  await giving.getByLabel('分发说明').fill('请安排值班');
  await giving.getByRole('button', { name: '分发公文' }).click();
  await expect(page).toHaveURL(/\/document\/dist\/detail\/\d+/);
  const given = new URL(page.url()).pathname;
  await turn('yuan.xiaoting');
  await page.goto('/document/dist');
  // Each tab counts its rows: she received it and distributed nothing.
  await expect(page.getByRole('group', { name: '分类' }).getByRole('button', { name: /^发出/ })).toHaveText('发出 0');
  await page.getByRole('link', { name: new RegExp(`${title}$`) }).click();
  await expect(page.getByLabel('正文', { exact: true }).getByText('补助按规定发放')).toBeVisible();
  await turn('zhao.yan');
  await page.goto(given);
  const matrix = page.getByRole('region', { name: '阅读情况' });
  await expect(matrix).toContainText('财务处');
  await expect(matrix).toContainText('谢春梅');
  await expect(matrix).not.toContainText('袁晓婷');
});

test('an incoming letter is registered, proposed, decided, handled by three departments, answered, and its completion confirmed', async ({
  page,
  baseURL,
}) => {
  const turn = turnsAt(page, baseURL);
  const title = `关于报送${seasons[test.info().retry]}用电情况的通知`;
  await turn('sun.jiahui');
  await page.goto('/document/register?new=1');
  await page.getByLabel('标题').fill(title);
  await page.getByLabel('来文单位').fill('市供电局');
  await page.getByLabel('来文字号').fill(`供电〔2026〕${31 + test.info().retry}号`);
  await page.getByLabel('收文日期').fill('2026-11-20');
  await page.getByRole('button', { name: '提交公文' }).click();
  await expect(page).toHaveURL(/\/document\/detail\/\d+/);
  const address = new URL(page.url()).pathname;
  // One tab for each, with its title and number.
  await expect(tab(page, title)).toContainText(/收〔\d{4}〕\d+号/);
  const opens = async (name: string) => {
    await turn(name);
    await page.goto(address);
  };

  await turn('zhao.yan');
  await find(page, title);
  // One of the office sends it back: it is with the clerk again, and with nobody else of the office.
  await decide(page, '不符合行文规则，退回', '缺附表');
  await expect(page.getByText('“不符合行文规则，退回”已办理，现在在“签收登记”')).toBeVisible();
  await opens('chen.guodong');
  await expect(head(page)).toContainText('已退回');
  await expect(action(page, '符合规则')).toHaveCount(0);
  await opens('sun.jiahui');
  await decide(page, '提交');
  await opens('zhao.yan');
  await decide(page, '符合规则');
  // The letter has no deadline of its own: the office sets one.
  const setTo = async (what: '设定' | '调整', day: string, why = '') => {
    await page.getByRole('button', { name: `${what}时限`, exact: true }).click();
    const drawer = page.getByRole('dialog', { name: `${what}办理时限` });
    await drawer.getByLabel('办理时限').fill(`${day}T17:00`);
    if (why) await drawer.getByLabel('理由').fill(why);
    await drawer.getByRole('button', { name: `${what}时限` }).click();
    await expect(drawer).toHaveCount(0);
    await expect(page.getByRole('region', { name: '公文要素' })).toContainText(day);
  };
  await setTo('设定', inDays(9));
  await page.getByLabel('批示领导').fill('zhouzhiyuan');
  await page.getByTitle('周志远（校领导）').click();
  await page.keyboard.press('Escape');
  await page.getByLabel('主办部门').fill('后勤');
  await page.getByTitle('后勤保障处').click();
  await page.getByLabel('协办部门').fill('财务');
  await page.getByTitle('财务处').last().click();
  await page.getByLabel('协办部门').fill('信息');
  await page.getByTitle('信息中心').last().click();
  await page.keyboard.press('Escape');
  await decide(page, '送批示');
  await opens('zhou.zhiyuan');
  await setTo('调整', inDays(6), '供电局提前汇总');
  await decide(page, '批示', '请后勤保障处牵头办理');
  // Each of the three reports on their part; until all have, the letter does not move on.
  for (const [name, done] of [
    ['zheng.yonghui', '电费已核对'],
    ['liang.zhiqiang', '机房用电已报'],
  ] as const) {
    await opens(name);
    await decide(page, '办理完毕', done);
  }
  await opens('guo.zhenhua');
  await expect(head(page)).toContainText('等待 郭振华');
  await decide(page, '办理完毕', '已汇总用电情况');
  // The reply names the letter, and the letter shows the reply.
  const reply = `关于报送${seasons[test.info().retry]}用电情况的函`;
  await page.goto('/document/list?new=1');
  await page.getByLabel('标题').fill(reply);
  await page.getByLabel('文种').click();
  // 函 is the sixth option below 通知, the form's default.
  for (let down = 0; down < 6; down += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByTitle('函', { exact: true }).first()).toBeVisible();
  await page.getByLabel('发文机关', { exact: true }).fill('示范大学');
  await page.getByTitle('示范大学', { exact: true }).click();
  await page.getByLabel('主送').fill('市供电局、');
  await page.getByLabel('答复的公文').fill(title);
  await page.locator('.ant-select-item-option', { hasText: title }).click();
  await page.getByRole('textbox', { name: '正文' }).fill('现将我校用电情况函复如下。');
  await page.getByRole('button', { name: '提交公文' }).click();
  await expect(page).toHaveURL(/\/document\/detail\/\d+/);
  await expect(head(page)).toContainText('待审');
  await opens('zhao.yan');
  await expect(page.getByRole('region', { name: '答复', exact: true })).toContainText(reply);
  for (const words of ['电费已核对', '机房用电已报', '已汇总用电情况'])
    await expect(page.getByText(words).first()).toBeVisible();
  const said = page.getByRole('region', { name: '公文要素' }).locator('.ant-descriptions-item-content');
  await expect(said.filter({ hasText: '电费已核对' })).toHaveCSS('white-space', /pre-line|preserve-breaks/);
  await decide(page, '已答复');
  await opens('sun.jiahui');
  await expect(head(page)).toContainText('已通过');
  await action(page, '申请办结').click();
  const asking = page.getByRole('dialog', { name: '申请办结' });
  await asking.getByLabel('办理结果').fill('用电情况已报市供电局');
  await asking.getByRole('button', { name: '申请办结' }).click();
  await expect(head(page)).toContainText('申请办结');
  await opens('zhao.yan');
  await decide(page, '确认办结');
  await opens('sun.jiahui');
  await expect(head(page)).toContainText('已关闭');
});
