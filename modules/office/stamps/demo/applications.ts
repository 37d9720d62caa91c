import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { dayOf, momentText } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { enter, keepMade, type FileStore, type Made } from '#modules/platform/files/service.ts';
import { derivedKey } from '#modules/platform/files/store/content.ts';
import { processingSheetPdf } from '#modules/platform/typesetting/service.ts';
import { demoDesk } from '#modules/workflow/tickets/demo/desk.ts';
import { linesOf } from '../application/lines.ts';
import { applications } from '../application/record.ts';
import { columnsOf, writeBeside } from '../application/writing.ts';
import { ApplicationInput } from '../contract/application.ts';
import { applicationCalls } from '../contract/applications.ts';
import { lineState, usageType } from '../contract/codes.ts';
import { cancel, handIn } from '../desk/ends.ts';
import { open } from '../desk/opening.ts';
import { confirm, refuse, seal } from '../desk/sealing.ts';
import { askLonger, bringBack, handOver } from '../loans/loans.ts';
import { stampTable } from '../tables/seals.ts';

const hour = 3_600_000;
type State =
  | 'draft'
  | 'sent'
  | 'ready'
  | 'sealed'
  | 'kept'
  | 'pending'
  | 'refused'
  | 'cancelled'
  | 'expired'
  | 'half'
  | 'leaving'
  | 'out'
  | 'late'
  | 'longer'
  | 'back';

// Applicant, file, kind, copies, numbers of seals, state to reach.
const rows: readonly [string, string, number, number, string, State][] = [
  ['qin.haoyu', '国家奖学金推荐名单', 1, 3, '01', 'ready'],
  ['qin.haoyu', '教职工在职证明', 4, 2, '01', 'ready'],
  ['qin.haoyu', '横向课题合作协议', 3, 4, '03', 'ready'],
  ['qin.haoyu', '出国访学单位推荐函', 7, 2, '01', 'ready'],
  ['qin.haoyu', '学院年度预算报表', 5, 2, '01', 'ready'],
  ['qin.haoyu', '校企共建实验室协议书', 3, 4, '01,05', 'half'],
  ['qin.haoyu', '科研项目结题报告', 5, 3, '01', 'pending'],
  ['qin.haoyu', '2026 届优秀毕业生证书', 8, 800, '06', 'sealed'],
  ['qin.haoyu', '设备采购合同（第二版）', 2, 4, '03', 'refused'],
  ['qin.haoyu', '暑期实习介绍信', 7, 1, '01', 'expired'],
  ['qin.haoyu', '法人授权委托书', 6, 1, '05', 'out'],
  ['qin.haoyu', '政府采购投标文件', 2, 3, '08', 'leaving'],
  ['qin.haoyu', '银行开户资料', 6, 2, '04', 'late'],
  ['qin.haoyu', '招标文件', 1, 5, '02', 'longer'],
  ['qin.haoyu', '职称评审材料', 5, 1, '06', 'back'],
  ['qin.haoyu', '学术会议邀请函', 7, 20, '01', 'cancelled'],
  ['qin.haoyu', '学生成绩单', 4, 5, '06', 'kept'],
  ['qin.haoyu', '班级活动场地申请', 9, 1, '01', 'draft'],
  ['qin.haoyu', '创新创业基地挂牌协议', 3, 2, '01', 'sent'],
];
/** Typical papers of an office, repeated. */
const usual = [
  '在读证明',
  '在职证明',
  '收入证明',
  '实习鉴定表',
  '政审材料',
  '培训结业证明',
  '差旅情况说明',
  '外事介绍信',
  '论文评阅聘书',
  '竞赛报名表',
  '职业资格报考证明',
];

interface Stage {
  tx: Db;
  now: Date;
  desk: ReturnType<typeof demoDesk>;
}

/** Applications in all states, made by the demonstration's people. */
export async function addDemoApplications(tx: Db, now: Date): Promise<void> {
  const stage: Stage = { tx, now, desk: demoDesk(tx) };
  const paper = await paperOf(tx.services.fileStore);
  const seals = new Map((await tx.select().from(stampTable)).map((row) => [row.stamp_no.slice(-2), row.id]));
  const more = usual.flatMap((title, at): (typeof rows)[number][] => [
    ['qin.haoyu', title, 4, 1 + (at % 3), '01', 'kept'],
    ['qin.haoyu', `${title}（补办）`, 4, 1, at % 2 ? '06' : '01', 'sealed'],
  ]);
  for (const [index, row] of [...rows, ...more].entries()) await live(stage, row, index, seals, paper);
  await tx.execute(sql`update msg_user set read_time = now() where read_time is null`);
}

async function paperOf(fileStore: FileStore): Promise<{ pdf: Made; photo: Made }> {
  const facts = [{ label: '说明', value: '演示文件：盖章前请核对页数与份数。', wide: true }];
  const pdf = await keepMade(
    fileStore,
    await processingSheetPdf({ name: '示范大学', org: '示范大学', facts, opinions: [] }),
    { ext: 'pdf', mime: 'application/pdf' },
  );
  const sharp = (await import('sharp')).default;
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="320"><rect width="480" height="320" fill="#fff"/><circle cx="300" cy="190" r="80" fill="none" stroke="#d4380d" stroke-width="8"/></svg>';
  const drawn = sharp(Buffer.from(svg));
  const photo = await keepMade(fileStore, await drawn.jpeg().toBuffer(), { ext: 'jpg', mime: 'image/jpeg' });
  const thumb = await drawn.resize(160).webp().toBuffer();
  await fileStore.store.put(derivedKey(photo.sha256, 'thumb'), Readable.from([thumb]));
  return { pdf, photo };
}

async function live(
  stage: Stage,
  [username, title, file_kind, copies, numbers, state]: (typeof rows)[number],
  index: number,
  seals: ReadonlyMap<string, number>,
  paper: { pdf: Made; photo: Made },
): Promise<void> {
  const { tx, now, desk } = stage;
  const { person } = desk;
  const begun = new Date(now.getTime() - ((index % 12) + 1) * 24 * hour);
  const loose = (made: Made, module: string, user: Viewer) =>
    enter(tx, { ...made, name: `${title}.${made.ext}`, thumb: null }, { module, uploader_id: user.id });
  const applicant = await person(username);
  const as = (user: Viewer, at = now) => desk.as(user.id, at);
  const out = ['leaving', 'out', 'late', 'longer', 'back'].includes(state);
  const from = (hours: number) => momentText(new Date(now.getTime() + hours * hour));
  const wanted = numbers.split(',').map((no) => ({ stamp_id: seals.get(no)! }));
  const input = ApplicationInput.parse({
    title,
    file_kind,
    copies,
    reason: `${title}用印`,
    no_blanks: true,
    pages: 1,
    files: [await loose(paper.pdf, 'stamps', applicant)],
    lines: wanted,
    ...(copies > 100 ? { serial_from: 'BY20260001', serial_to: `BY2026${String(copies).padStart(4, '0')}` } : {}),
    ...(out
      ? {
          use_type: usageType.out,
          borrow_start: from(0.2),
          borrow_end: from(state === 'longer' ? 20 : 8),
          borrow_place: '市政务服务中心',
          escort: 'bai.xue',
        }
      : {}),
  });
  const { files: _files, lines: _lines, operator: _operator, escort: _escort, source: _source, ...row } = input;
  const own = await columnsOf(tx, { row, sent: input, before: null, viewer: { user: applicant } });
  const columns = { ...row, ...own };
  const beside = (row: Parameters<typeof writeBeside>[1]) => writeBeside(tx, row, input, applicant, new Map());
  const { id, ticket_id } = await applications.create(
    await as(applicant, begun),
    columns,
    { submit: state !== 'draft' },
    beside,
  );
  const decided = new Date(begun.getTime() + 5 * hour);
  if (state !== 'draft' && state !== 'sent') await desk.decide(ticket_id, { at: decided });
  await tx.execute(sql`update stamp_application set gmt_created = ${begun.toISOString()} where id = ${id!}`);
  await desk.dateTicket(ticket_id, begun, decided);
  if (state === 'draft' || state === 'sent') return;
  const lines = await linesOf(tx, [id!]);
  const photo = async (user: Viewer) => [await loose(paper.photo, 'stamp_pictures', user)];
  const handle = applicationCalls.handle.body!;
  for (const line of state === 'half' ? lines.slice(0, 1) : lines) {
    const keeper = await person(line.keeper);
    const opened = async () => open(await as(keeper), id!, [line.stamp_id]);
    const body = async (kind: string, more: object = {}) =>
      handle.parse({ stamp_ids: [line.stamp_id], kind, pictures: await photo(keeper), remark: '材料急用', ...more });
    if (state === 'refused') await refuse(await opened(), { reason: '第 3 页与批准的文件不一致', files: [] });
    if (['sealed', 'kept', 'half', 'pending'].includes(state)) {
      await seal(await opened(), await body('seal'));
      const second = line.supervisor_id ?? line.backup_id;
      const [after] = await linesOf(tx, [id!]);
      if (state !== 'pending' && second !== null && after!.pending)
        await confirm(await open(await as(await person(second)), id!, [line.stamp_id]), {
          code: undefined,
          proven: true,
        });
    }
    if (out && state !== 'leaving') {
      const signature = await loose(paper.photo, 'stamps', keeper);
      await handOver(await opened(), await body('hand_over', { signature }));
    }
    if (state === 'back') await bringBack(await opened(), await body('return', { real_copies: copies }));
    if (state === 'longer')
      await askLonger(await open(await as(applicant), id!), { until: from(30), reason: '窗口要求补一份材料' });
    if (state === 'late')
      await tx.execute(
        sql`update stamp_loan set out_at = now() - interval '30 hours', due_at = now() - interval '20 hours' where line_id = ${line.id}`,
      );
  }
  if (state === 'cancelled') await cancel(await open(await as(applicant), id!), '会议改期');
  if (state === 'kept')
    await handIn(await open(await as(applicant), id!), [await loose(paper.photo, 'stamps', applicant)]);
  if (state === 'expired') {
    await tx.execute(
      sql`update stamp_line set state = ${inSql(lineState.void)}, reason = '过期未用印' where application_id = ${id!}`,
    );
    await tx.execute(
      sql`update stamp_application set seal_status = ${inSql(lineState.void)}, due_day = ${dayOf(now)}::date - 1 where id = ${id!}`,
    );
  }
  if (state === 'ready' && index < 5) {
    await tx.execute(
      sql`update stamp_line set day = ${dayOf(now)}, part = 2, reserved = true where application_id = ${id!} and stamp_id = ${wanted[0]!.stamp_id}`,
    );
    await tx.execute(sql`insert into stamp_slot (stamp_id, day, part, taken, capacity) values (${wanted[0]!.stamp_id}, ${dayOf(now)}, 2, 1, 10)
      on conflict (stamp_id, day, part) do update set taken = stamp_slot.taken + 1`);
  }
}
