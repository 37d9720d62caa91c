import { afterAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { type Client } from '#apps/server/testing.ts';
import { momentText } from '#kernel/contract/moment.ts';
import { paperNews } from '#modules/office/folders/reading/notify.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { ticketNews } from '#modules/workflow/tickets/notify/kinds.ts';
import { messages } from './contract.ts';
import { choicesOf, type NewsKind } from './contract/kinds.ts';
import { byMail, isStillNews, outsideTask } from './outside/outside.ts';
import { announce } from './service.ts';
import { openOutside } from './testing/outside.ts';

const { app, someone, sender, rows, close } = await openOutside();
afterAll(close);

let numbers = 13800007000;
const texted = async () => app.signIn(await app.person({ phone: String(++numbers) }));
const posted = (who: Client) =>
  rows<{ target: string; title: string }>('select target, title from delivery where user_id = $1', who.userId);
type Paper = { id: number; title: string; read_deadline: string | null };
let record = 0;
const urge = (who: Client) => {
  const said = { title: '有人催办', content: '请尽快', page: '/ticket/duty', by: null };
  return app.services.databases.write((tx) => announce(tx, ticketNews.URGE, { id: ++record }, said, [who.userId]));
};
test('a preference for a kind of message that no longer exists is left out, and does not prevent saving', async () => {
  const who = await someone('gone@example.com');
  await rows(
    `insert into msg_preference (user_id, event, ways) values ($1, 'GONE', '{mail}'), ($1, 'CC', '{sms}')`,
    who.userId,
  );
  const { events } = await who.get(messages.preference);
  expect(events).toEqual({ CC: ['sms'] });
  expect((await who.ask(messages.keepPreference, { body: { events } })).code).toBe(0);
});

test('a person’s choices are stored beside the defaults, and only configured channels are offered', async () => {
  const who = await someone('me@example.com');
  const habit = { quiet_from: null, quiet_to: null, digest: true };
  expect(await who.get(messages.preference)).toEqual({
    ...habit,
    events: {},
    ...choicesOf(app.services.product.news),
    open: ['push'],
    reachable: ['mail'],
  });
  const setUp = async (interfaces: object, open: string[]) => {
    await app.admin.get(settings.saveInterfaces, { body: interfaces as never });
    await eventually(async () => expect((await who.get(messages.preference)).open).toEqual(open));
  };
  await setUp({ mail: { host: 'mail.example.com', from: '' }, sms: { provider: 'aliyun' } }, ['sms', 'push']);
  await setUp({ mail: { host: 'mail.example.com', from: 'office@example.com' }, sms: { provider: '' } }, [
    'mail',
    'push',
  ]);
  await setUp({ mail: { host: '', from: '' } }, ['push']);
  const keep = (body: object) => who.ask(messages.keepPreference, { body: body as never });
  await keep({ events: { URGE: ['mail', 'mail'] }, quiet_from: '22:00', quiet_to: '07:30' });
  await keep({ events: { CC: ['sms'] }, digest: false });
  expect(await who.get(messages.preference)).toMatchObject({
    events: { URGE: ['mail'], CC: ['sms'] },
    quiet_from: '22:00',
    quiet_to: '07:30',
    digest: false,
  });
  for (const wrong of [{ events: { NOTHING: [] } }, { events: { CC: ['fax'] } }, { quiet_from: '25:00' }])
    expect((await keep(wrong)).code).toBe(4000);
  expect(await keep({ quiet_from: '22:00' })).toMatchObject({ code: 4000, msg: expect.stringContaining('一起填写') });
});

test('urgent to-dos, missed urgent deadlines and last reading days are texted to people who chose nothing', async () => {
  const [silent, wordy] = [await texted(), await texted()];
  await wordy.get(messages.keepPreference, { body: { events: { TODO_URGENT: [], TODO: ['sms'] } } });
  const say = (kind: NewsKind<Paper>, level: number) =>
    app.services.databases.write((tx) =>
      announce(
        tx,
        kind,
        { id: ++record, title: '', read_deadline: null },
        { title: `${kind.event} ${level}`, content: '', level, by: null },
        [silent.userId, wordy.userId],
      ),
    );
  const { TODO, TIMEOUT, URGE } = ticketNews;
  const { MUST_READ, MUST_READ_DUE } = paperNews;
  const said = [
    [TODO, 0],
    [TODO, 1],
    [TIMEOUT, 1],
    [TIMEOUT, 2],
    [MUST_READ, 0],
    [MUST_READ_DUE, 1],
    [MUST_READ_DUE, 2],
    [URGE, 2],
  ] as const;
  for (const [kind, level] of said) await say(kind, level);
  const errands = (who: Client) =>
    rows(`select 1 from graphile_worker.jobs where key like 'outside:%:' || $1`, who.userId);
  for (const who of [silent, wordy]) await eventually(async () => expect(await errands(who)).toEqual([]));
  const texts = async (who: Client) =>
    (
      await rows<{ title: string }>(
        `select m.title from sms_log s join msg m on m.id = s.object_id where s.module = 'messages' and s.user_id = $1 order by m.id`,
        who.userId,
      )
    ).map((row) => row.title);
  const unasked = ['TIMEOUT 2', 'MUST_READ_DUE 2'];
  expect(await texts(silent)).toEqual(['TODO 1', ...unasked]);
  expect(await texts(wordy)).toEqual(['TODO 0', ...unasked]);
}, 180_000);

test('a notice is also texted to all recipients if its sender chose so, besides the channels they chose', async () => {
  const [plain, mailed] = [await texted(), await texted()];
  await rows('update app_user set email = $1 where id = $2', 'both@example.com', mailed.userId);
  await mailed.get(messages.keepPreference, { body: { events: { NOTICE: ['mail'] } } });
  const author = await sender();
  const users = [plain.userId, mailed.userId];
  const send = (sms: boolean) =>
    author.get(messages.send, { body: { title: '停水', content: '周六停水', recipients: { users }, sms } as never });
  const { id: silent } = await send(false);
  const { id } = await send(true);
  const left = () =>
    rows(
      `select object_id, user_id, channel from delivery where module = 'messages' and object_id = any($1)
        union all select object_id, user_id, 'sms' from sms_log where module = 'messages' and object_id = any($1)
        order by object_id, user_id, channel`,
      [silent, id],
    );
  const [first, second] = users;
  await eventually(async () =>
    expect(await left()).toEqual([
      { object_id: silent, user_id: second, channel: 'mail' },
      { object_id: id, user_id: first, channel: 'sms' },
      { object_id: id, user_id: second, channel: 'mail' },
      { object_id: id, user_id: second, channel: 'sms' },
    ]),
  );
}, 180_000);

test('a message is mailed once to those who chose mail, and not if it was read before', async () => {
  const [by, without, quick] = [
    await someone('by@example.com'),
    await someone('no@example.com'),
    await someone('q@example.com'),
  ];
  for (const who of [by, quick]) await who.get(messages.keepPreference, { body: { events: { URGE: ['mail'] } } });
  await urge(by);
  await eventually(async () => expect(await posted(by)).toEqual([{ target: 'by@example.com', title: '有人催办' }]));
  const [message] = await rows<{ text: string }>(
    `select body->>'text' "text" from delivery where user_id = $1`,
    by.userId,
  );
  expect(message!.text).toMatch(/^请尽快\n\n在系统中查看：http:\/\/[\w.:]+\/ticket\/duty$/);
  await urge(without);
  const minute = (offset: number) => momentText(new Date(Date.now() + offset * 60_000)).slice(11, 16);
  await quick.get(messages.keepPreference, { body: { quiet_from: minute(-5), quiet_to: minute(60) } });
  await urge(quick);
  await quick.get(messages.readAll, { body: {} });
  const waiting = `select job.key from graphile_worker.jobs job where job.key like 'outside:%:' || $1`;
  expect(await rows(waiting, quick.userId)).toHaveLength(1);
  await rows(`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
    where key like 'outside:%'`);
  await eventually(async () => expect(await rows(waiting, quick.userId)).toEqual([]));
  expect([await posted(without), await posted(quick)]).toEqual([[], []]);
});

test('a message due in its reader’s quiet hours waits until they end', async () => {
  const who = await someone('night@example.com');
  // Quiet at present, so that the server's own job does not run meanwhile.
  const minute = (offset: number) => momentText(new Date(Date.now() + offset * 60_000)).slice(11, 16);
  const hours = { quiet_from: minute(-5), quiet_to: minute(60) };
  await who.get(messages.keepPreference, { body: { events: { URGE: ['mail'] }, ...hours } });
  await urge(who);
  const [message] = await rows<{ id: number }>('select msg_id id from msg_user where user_id = $1', who.userId);
  const task = outsideTask(app.services.databases, { mail: (tx, outgoing) => byMail(tx, outgoing, null) });
  const errand = {
    message: message!.id,
    user: who.userId,
    ways: ['mail' as const],
    quiet: ['22:00', '07:00'] as [string, string],
  };
  const at = (time: string) => task.run(errand, { attempt: 1, now: new Date(`2099-01-01T${time}:00+08:00`) });
  await at('23:10');
  const job = `select run_at from graphile_worker.jobs where key = $1`;
  expect(await rows(job, `outside:${message!.id}:${who.userId}`)).toEqual([
    { run_at: expect.stringContaining('2099-01-02 07:00:00') },
  ]);
  expect(await posted(who)).toEqual([]);
  await at('07:00');
  expect(await posted(who)).toHaveLength(1);
});

test('a failing channel holds back no other, and is retried', async () => {
  const who = await app.signIn(await app.person({ phone: '13700006611' }));
  await rows('update app_user set email = $1 where id = $2', 'two@example.com', who.userId);
  await rows(`update sms_template set is_deleted = true where code = 'message'`);
  try {
    await who.get(messages.keepPreference, { body: { events: { URGE: ['sms', 'mail'] } } });
    await urge(who);
    await eventually(async () => expect(await posted(who)).toMatchObject([{ target: 'two@example.com' }]));
    const job = `select last_error from graphile_worker.jobs where key like 'outside:%:' || $1`;
    await eventually(async () =>
      expect(await rows(job, who.userId)).toEqual([{ last_error: expect.stringContaining('短信模板') }]),
    );
  } finally {
    await rows(`update sms_template set is_deleted = false where code = 'message'`);
  }
  await rows(`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
    where key like 'outside:%'`);
  await eventually(async () => expect(await posted(who)).toHaveLength(2));
}, 180_000);

const fall = (who: Client, ...names: string[]) =>
  app.services.databases.write(async (tx) => {
    for (const name of names) {
      const gathered = { name, said: '异常', reason: '超时', path: '/monitor' };
      const said = { title: `${name} 异常`, content: `${name}异常`, page: '/', gathered, by: null };
      await announce(tx, ticketNews.URGE, { id: ++record }, said, [who.userId]);
    }
  });
const letGo = (who: Client) =>
  rows(
    `select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs where key = $1`,
    `together:${who.userId}`,
  );

test('when one channel fails for a bundled message, the others go on and the failed one catches up later', async () => {
  const who = await app.signIn(await app.person({ phone: '13700006622' }));
  await rows('update app_user set email = $1 where id = $2', 'alarms@example.com', who.userId);
  await who.get(messages.keepPreference, { body: { events: { URGE: ['sms', 'mail'] } } });
  const mails = async () => (await posted(who)).filter(({ target }) => target.includes('@')).map(({ title }) => title);
  const again = `select last_error from graphile_worker.jobs where task_identifier = 'tell outside together again'`;
  await rows(`update sms_template set is_deleted = true where code = 'message'`);
  try {
    await fall(who, '甲站', '乙站');
    await letGo(who);
    await eventually(async () => expect(await mails()).toEqual(['甲站、乙站 异常']));
    await fall(who, '丙站');
    await letGo(who);
    await eventually(async () => expect(await mails()).toContain('丙站 异常'));
    await eventually(async () =>
      expect((await rows(again)).map((row) => row['last_error'])).toEqual(
        Array(2).fill(expect.stringContaining('短信模板')),
      ),
    );
  } finally {
    await rows(`update sms_template set is_deleted = false where code = 'message'`);
  }
  await rows(`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
    where task_identifier = 'tell outside together again'`);
  await eventually(async () => expect(await posted(who)).toHaveLength(4));
}, 180_000);

test('a bundled message still counts as news until its last part was read', async () => {
  const who = await app.signIn(await app.person());
  await rows('update app_user set email = $1 where id = $2', 'both@example.com', who.userId);
  await who.get(messages.keepPreference, { body: { events: { URGE: ['mail'] } } });
  await fall(who, '丁站', '戊站');
  await letGo(who);
  await eventually(async () => expect(await posted(who)).toHaveLength(1));
  const [about] = await rows<{ module: string; object_id: number; user_id: number }>(
    'select module, object_id, user_id from delivery where user_id = $1',
    who.userId,
  );
  const news = () => isStillNews(app.services.databases.fresh, about!);
  const read = (which: string) =>
    rows(
      `update msg_user set read_time = now() where user_id = $1 and msg_id ${which} $2`,
      who.userId,
      about!.object_id,
    );
  await read('=');
  expect(await news()).toBe(true);
  await read('<>');
  expect(await news()).toBe(false);
}, 180_000);
