import { afterAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { momentText } from '#kernel/contract/moment.ts';
import { post } from '#modules/platform/deliveries/service.ts';
import { openPost } from '#modules/platform/deliveries/testing/receiver.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { messageTemplate, textPeople } from '#modules/platform/sms/service.ts';
import { ticketNews } from '#modules/workflow/tickets/notify/kinds.ts';
import { messages } from './contract.ts';
import { announce, closeTodo } from './service.ts';
import { openOutside } from './testing/outside.ts';

const { app, keepQuiet, someone, sender, rows, close } = await openOutside();
afterAll(close);

test('a queued delivery of a message is dropped once the message was read or its to-do is done', async () => {
  const { databases } = app.services;
  const news = { module: 'tickets', objectId: 880_001 };
  const said = { title: '待办', content: '请办', by: null };
  const quick = await app.signIn(await app.person({ phone: '13512340001' }));
  const [done, idle] = [await someone(), await someone()];
  const all = [quick, done, idle].map((who) => who.userId);
  await databases.write((tx) => announce(tx, ticketNews.TODO, { id: news.objectId }, said, all));
  const [told] = await rows<{ id: number }>('select id from msg where object_id = $1', news.objectId);
  const about = { module: 'messages', objectId: told!.id };
  await keepQuiet('22:00-08:00');
  const mail = {
    channel: 'mail',
    target: 'a@example.com',
    title: '待办',
    body: { text: '请办' },
    at: new Date('2099-01-01'),
  } as const;
  await databases.write(async (tx) => {
    await post(
      tx,
      all.map((userId) => ({ ...mail, ...about, userId, key: `waits:${userId}` })),
    );
    const text = { template: messageTemplate, to: [quick.userId], params: { title: '待办' }, ...about };
    await textPeople(tx, text, app.services, new Date('2099-01-01T23:30:00+08:00'));
  });
  await quick.get(messages.readAll, { body: {} });
  await databases.write((tx) => closeTodo(tx, { ...news, events: ['TODO'] }, [done.userId]));
  const states = () =>
    rows(`select user_id, channel, state from delivery where user_id = any($1) order by user_id, channel`, all);
  expect((await states()).map((row) => row['state'])).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
  await rows(`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
    where key like 'delivery:%'`);
  const over = [
    { user_id: quick.userId, channel: 'mail', state: 'cancelled' },
    { user_id: quick.userId, channel: 'sms', state: 'cancelled' },
    { user_id: done.userId, channel: 'mail', state: 'cancelled' },
    // It is attempted, but there is no mail server.
    { user_id: idle.userId, channel: 'mail', state: 'given_up' },
  ];
  await eventually(async () => expect(await states()).toEqual(over));
  expect(await rows('select state from sms_log where user_id = $1', quick.userId)).toEqual([{ state: 4 }]);
}, 180_000);

test('a delivery not yet sent when its notice is recalled is never sent, and one being sent arrives', async () => {
  const post = await openPost();
  let goOn = () => undefined as void;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  post.hold = () => held;
  try {
    const clock = (hours: number) => momentText(new Date(Date.now() + hours * 3_600_000)).slice(11, 16);
    const mail = { host: '127.0.0.1', port: String(post.port), from: 'office@example.com' };
    const quiet = `${clock(-1)}-${clock(2)}`;
    await app.admin.get(settings.saveInterfaces, { body: { mail } as object });
    await keepQuiet(quiet);
    const [slow, busy] = [await someone('slow@example.com'), await someone('busy@example.com')];
    const texted = await app.signIn(await app.person({ phone: '13800009999' }));
    const author = await sender();
    for (const who of [slow, busy]) await who.get(messages.keepPreference, { body: { events: { NOTICE: ['mail'] } } });
    await texted.get(messages.keepPreference, { body: { events: { NOTICE: ['sms'] } } });
    const users = [slow, busy, texted].map((who) => who.userId);
    const { id } = await author.get(messages.send, {
      body: { title: '作废的通知', content: '今晚加班', recipients: { users } } as never,
    });
    const states = () =>
      rows('select user_id, state, tries > 0 tried from delivery where user_id = any($1) order by user_id', users);
    const standing = (...all: [string, boolean][]) =>
      all.map(([state, tried], at) => ({ user_id: users[at], state, tried }));
    const becomes = (expected: unknown) => eventually(async () => expect(await states()).toEqual(expected));
    await becomes(standing(['waiting', true], ['retrying', true], ['waiting', false]));
    await eventually(() => expect(post.letters).toHaveLength(1));
    await author.get(messages.recall, { params: { id } });
    const over = standing(['sent', true], ['cancelled', true], ['cancelled', false]);
    expect((await states()).slice(1)).toEqual(over.slice(1));
    expect(await rows('select state from sms_log where user_id = $1', texted.userId)).toEqual([{ state: 4 }]);
    goOn();
    await becomes(over);
    // The later retries find nothing to send.
    await rows(`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
      where key like 'delivery:%'`);
    const jobs = () => rows(`select key from graphile_worker.jobs where key like 'delivery:%'`);
    await eventually(async () => expect(await jobs()).toEqual([]));
    expect(await states()).toEqual(over);
    expect(post.letters).toHaveLength(1);
  } finally {
    goOn();
    post.close();
  }
}, 300_000);
