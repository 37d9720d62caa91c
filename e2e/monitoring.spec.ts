import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import { caller, enter, test } from './office.ts';

test('a customer’s project goes down, is claimed by the text’s link, becomes an order, recovers and is in the monthly report', async ({
  browser,
  baseURL,
}) => {
  let works = true;
  const server = createServer((_request, response) => response.writeHead(works ? 200 : 503).end());
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const admin = await caller(baseURL, 'admin');
  await admin.ask('PUT', '/api/sms/rule/', { quiet: '00:00-00:00', links: '127.0.0.1' });
  const manager = await caller(baseURL, 'shi.yufei');
  const page = await enter(browser, baseURL, manager.token);
  const name = `旅程客户${Date.now() % 100_000}`;
  const made = async (path: string, body: object) => {
    const { data, msg } = await manager.ask('POST', path, body);
    expect(data, msg).toBeTruthy();
    return data.id as number;
  };

  await page.goto('/customer/list');
  await page.getByRole('button', { name: '新增客户' }).first().click();
  await page.getByRole('textbox', { name: '客户名称' }).fill(name);
  await page.getByRole('button', { name: '新增客户' }).last().click();
  await page.getByRole('link', { name }).first().click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
  const customer = Number(/detail\/(\d+)/.exec(page.url())![1]);
  const contact = await made('/api/customer/contacts/', {
    customer_id: customer,
    name: '郑工',
    mobile: '13912349876',
    receive_sms: true,
  });
  const project = await made('/api/customer/projects/', {
    customer_id: customer,
    name: '官网',
    service_level: 2,
    sms_switch: true,
    alert_contacts: [contact],
  });
  // Saving the settings triggers a check at once.
  const look = async (retries: number) => {
    const path = `/api/customer/projects/${project}/monitor/`;
    const { msg, code } = await manager.ask('PUT', path, {
      type: 1,
      target,
      interval_s: 60,
      retries,
      successes: 1,
      retry_interval_s: 20,
      max_alerts: 5 + retries,
    });
    expect(code, msg).toBe(0);
  };
  const status = async () =>
    (await manager.ask('GET', `/api/customer/projects/${project}/monitor/`)).data.value.status as number;
  await look(0);
  await expect.poll(status, { timeout: 60_000 }).toBe(1);
  works = false;
  await look(0);
  await expect.poll(status, { timeout: 60_000 }).toBe(0);

  const text = async () => {
    const { data } = await admin.ask('GET', '/api/sms/logs/?per_page=20');
    const found = (data.value as { content: string }[]).find((one) => one.content.includes('/api/test/claim/'));
    return /\/api\/test\/claim\/\w+\//.exec(found?.content ?? '')?.[0] ?? '';
  };
  await expect.poll(text, { timeout: 60_000 }).toContain('/claim/');
  const link = await text();
  const phone = await browser.newPage({ ...(baseURL ? { baseURL } : {}), viewport: { width: 390, height: 844 } });
  await phone.goto(link);
  await expect(phone.getByText('未恢复，待认领')).toBeVisible();
  await phone.getByRole('button', { name: '认领' }).click();
  await expect(phone.getByText('已由郑工认领')).toBeVisible();

  await page.goto(`/customer/project/detail/${project}`);
  await page.getByRole('link', { name: /正在异常/ }).click();
  await expect(page.getByText('郑工认领')).toBeVisible();
  await page.getByRole('button', { name: '转报修' }).click();
  await expect(page.getByText(/转报修 \S+/).first()).toBeVisible();

  works = true;
  await look(0);
  await expect.poll(status, { timeout: 60_000 }).toBe(1);
  await page.reload();
  await page.getByRole('button', { name: '处理', exact: true }).click();
  await page.getByLabel('原因分类').click();
  await page.getByTitle('服务器').click();
  await page.getByLabel('处理措施').fill('重启服务');
  await page.getByRole('button', { name: '保存处理结果' }).click();
  await expect(page.getByText('已处理').first()).toBeVisible();

  await page.goto(`/customer/detail/${customer}`);
  await page.getByRole('tab', { name: 'SLA' }).click();
  await expect(page.getByRole('cell', { name: '官网' }).first()).toBeVisible();
  await expect(page.getByText('重启服务')).toBeVisible();
  server.close();
});
