import { test } from './office.ts';
import { designLeave, publishLeave, runLeave, setOut, simulateLeave } from './leave-journey.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

test('on a phone a leave workflow is designed from nothing, published, simulated, and used by five people', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(500_000);
  const way = await setOut(browser, baseURL, '手机请假', phone);
  await designLeave(way);
  await publishLeave(way);
  await simulateLeave(way);
  await runLeave(way);
});
