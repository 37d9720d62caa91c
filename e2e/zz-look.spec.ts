import { caller, enter, test } from './office.ts';
test('look', async ({ browser, baseURL }) => {
  const admin = await caller(baseURL, 'admin');
  const wide = await enter(browser, baseURL, admin.token);
  for (const path of ['/document/exchange','/meet/list','/meet/room','/sms/alumnus','/system/app_token','/system/delivery','/system/log']) {
    await wide.goto(path); await wide.waitForTimeout(2500);
    console.log(path, JSON.stringify(await wide.evaluate(() => {
      const main = document.querySelector('main:not([style*="none"])')!;
      const body = main.querySelector<HTMLElement>('.ant-table-body, .ant-table-content')!;
      const heads = [...main.querySelectorAll<HTMLElement>('.ant-table-thead th')].map((th) => `${th.innerText.trim()} ${th.offsetWidth}`);
      return { box: body.clientWidth, scroll: body.scrollWidth, style: body.querySelector('table')!.getAttribute('style'), heads, cols: [...body.querySelectorAll('col')].map((c) => c.getAttribute('style')), main: main.clientWidth, bar: main.offsetWidth - main.clientWidth };
    })));
    await wide.screenshot({ path: `/tmp/desk/x${path.replaceAll('/', '-')}.png` });
  }
});
