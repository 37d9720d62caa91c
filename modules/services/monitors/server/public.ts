import { eq, inArray, sql } from 'drizzle-orm';
import { Refusal } from '#kernel/contract/refusal.ts';
import type { Limit } from '#kernel/server/access/attempts.ts';
import { savepoint, type Db } from '#kernel/server/db/db.ts';
import { staged, type Context, type FileReply } from '#kernel/server/http/implement.ts';
import { lightPages } from '#kernel/server/text/light-page.ts';
import { asMarkup } from '#kernel/server/text/markup.ts';
import { customerTable, projectTable } from '#modules/services/customers/service.ts';
import { codeRead } from '#modules/platform/verification/service.ts';
import { monitorState } from '../contract/codes.ts';
import { incidentCalls } from '../contract/incidents.ts';
import { reportCalls } from '../contract/reports.ts';
import { claimTable, incidentTable, statusPageTable } from '../tables.ts';
import { claim, holdIncident } from './claiming.ts';

const page = lightPages(`
svg{width:100%;height:28px;display:block}.d1{fill:var(--s1)}.d0{fill:var(--s0)}.d2{fill:var(--s2)}.dn{fill:var(--none)}`);

const pageOf = async (
  { settings }: Pick<Context['services'], 'settings'>,
  title: string,
  content: string,
  more: Partial<FileReply> = {},
): Promise<FileReply> => page((await settings.get('site')).name, title, content, more);
const sentence = (services: Context['services'], title: string, said: string, status = 200) =>
  pageOf(services, title, `<section><h1>${asMarkup(title)}</h1><p>${asMarkup(said)}</p></section>`, { status });
const unknown = (services: Context['services']) =>
  sentence(services, '链接无效', '请核对短信中的链接；链接三天内有效。', 404);

const asking: Limit = { kind: 'monitor page', limit: 60, seconds: 60 };
const before = async (_input: unknown, { origin, services: { attempts } }: Pick<Context, 'origin' | 'services'>) =>
  attempts.hit(asking, origin.ip);

interface Found {
  name: string;
  incidents: {
    id: number;
    project: string;
    start_time: string;
    end_time: string | null;
    claimed_name: string;
    claimed_at: string | null;
  }[];
}
async function ofCode(tx: Db, typed: string, services: Context['services']): Promise<Found | null> {
  const code = codeRead(typed);
  if (!code) return null;
  const { rows } = await tx.execute<{ name: string; record_ids: number[] }>(
    sql`select name, record_ids from ${claimTable} where mark = ${services.secretBox.keyedHash(code)} and made_at > now() - interval '3 days'`,
  );
  if (!rows[0]) return null;
  const { id, start_time, end_time, claimed_name, claimed_at } = incidentTable;
  const incidents = await tx
    .select({ id, start_time, end_time, claimed_name, claimed_at, project: projectTable.name })
    .from(incidentTable)
    .innerJoin(projectTable, eq(projectTable.id, incidentTable.project_id))
    .where(inArray(id, rows[0].record_ids))
    .orderBy(id);
  return { name: rows[0].name, incidents };
}

async function claims(found: Found, services: Context['services']): Promise<FileReply> {
  const rows = found.incidents.map(({ project, start_time, end_time, claimed_name, claimed_at }) => {
    const stands = claimed_at ? `已由${asMarkup(claimed_name)}认领` : end_time ? '已恢复' : '未恢复，待认领';
    return `<section><h2><span>${asMarkup(project)}</span><span class="${end_time || claimed_at ? 's1' : 's0'}">${stands}</span></h2><p class="muted">${start_time.slice(0, 16)} 起异常</p></section>`;
  });
  const open = found.incidents.some((one) => !one.end_time && !one.claimed_at);
  const button = open
    ? '<form method="post"><p>认领后由您负责处理，不再重复提醒。</p><button type="submit">认领</button></form>'
    : '<p class="s1" role="status">没有需要认领的异常。</p>';
  return pageOf(
    services,
    '认领异常',
    `<section><h1>${asMarkup(found.name)}，以下项目发生异常</h1></section>${rows.join('')}<section>${button}</section>`,
  );
}

/** Shows the incident of the link; a GET claims nothing, because robots open links. */
export const claimPage = staged(incidentCalls.claimPage, {
  before,
  async run({ params, prepared: tries }, { tx, services }) {
    if (tries.exceeded) return sentence(services, '请稍后再试', `请 ${tries.retryAfter} 秒后再试。`, 429);
    const found = await ofCode(tx, params.code, services);
    return found ? claims(found, services) : unknown(services);
  },
});
export const claimByLink = staged(incidentCalls.claimByLink, {
  before,
  async run({ params, prepared: tries }, { tx, services, audit }) {
    if (tries.exceeded) return sentence(services, '请稍后再试', `请 ${tries.retryAfter} 秒后再试。`, 429);
    const found = await ofCode(tx, params.code, services);
    if (!found) return unknown(services);
    for (const { id, project } of found.incidents) {
      await holdIncident(tx, id);
      const done = await savepoint(tx, () => claim(tx, id, { user_id: null, name: found.name })).then(
        () => true,
        (stop: unknown) => {
          if (stop instanceof Refusal) return false;
          throw stop;
        },
      );
      if (done) audit({ type: '监测记录', id, title: project, after: { 认领人: `${found.name}（短信链接）` } });
    }
    return claims((await ofCode(tx, params.code, services))!, services);
  },
});

interface Shown extends Record<string, unknown> {
  name: string;
  status: number | null;
  days: { up: number; down: number }[] | null;
  planned: string | null;
}
/** The public page of a customer: without targets and addresses, for ninety days. */
export const statusPage = staged(reportCalls.status, {
  before,
  async run({ params, prepared: tries }, { tx, services }) {
    if (tries.exceeded) return sentence(services, '请稍后再试', `请 ${tries.retryAfter} 秒后再试。`, 429);
    const code = codeRead(params.code);
    const [customer] = code
      ? await tx
          .select({ id: customerTable.id, name: customerTable.name, project_ids: statusPageTable.project_ids })
          .from(statusPageTable)
          .innerJoin(customerTable, eq(customerTable.id, statusPageTable.customer_id))
          .where(
            sql`${statusPageTable.mark} = ${services.secretBox.keyedHash(code)} and not ${customerTable.is_deleted}`,
          )
      : [];
    if (!customer) return sentence(services, '没有这个页面', '地址可能已更换或关闭，请向服务单位索取新的地址。', 404);
    const { rows } = await tx.execute<Shown>(sql`
      select p.name, s.status,
        (select json_agg(json_build_object('up', coalesce(h.up, 0), 'down', coalesce(h.down, 0)) order by day)
          from generate_series(current_date - 89, current_date, interval '1 day') day left join (
            select date_trunc('day', hour) of_day, sum(up_s) up, sum(down_s) down from monitor_hour
            where project_id = p.id and hour >= current_date - 89 group by 1) h on h.of_day = day) days,
        (select string_agg(to_char(w.starts_at, 'MM-DD HH24:MI') || ' 至 ' || to_char(w.ends_at, 'MM-DD HH24:MI'), '，' order by w.starts_at)
          from monitor_window w where w.project_ids @> array[p.id] and not w.weekly and w.ends_at > now()
            and w.starts_at < now() + interval '14 days') planned
      from customer_project p join monitor m on m.project_id = p.id and m.enabled join monitor_state s on s.project_id = p.id
      where p.customer_id = ${customer.id} and p.id = any(${sql.param(customer.project_ids)}::int[]) and not p.is_deleted order by p.name limit 100`);
    const head = headOf(rows);
    const content = `<section><h1>${asMarkup(customer.name)} 服务状态</h1>${head}</section>${rows.map(project).join('')}`;
    return pageOf(services, `${customer.name} 服务状态`, content, { cache: 'public, max-age=30' });
  },
});

/** The overall state; unmonitored projects are not reported as working. */
function headOf(rows: readonly Shown[]): string {
  if (rows.length === 0) return '<p class="muted">没有公开的项目</p>';
  const bad = rows.filter(({ status }) => status === monitorState.down).length;
  if (bad > 0) return `<p class="s0">${bad} 个项目异常，正在处理</p>`;
  const unwatched = rows.filter(({ status }) => (status ?? monitorState.off) === monitorState.off).length;
  if (unwatched === rows.length) return '<p class="muted">公开的项目都没有在监测</p>';
  return `<p class="s1">${unwatched > 0 ? `监测中的项目运行正常，${unwatched} 个没有在监测` : '全部项目运行正常'}</p>`;
}

function project({ name, status, days, planned }: Shown): string {
  const all = days ?? [];
  const [up, down] = [all.reduce((sum, one) => sum + one.up, 0), all.reduce((sum, one) => sum + one.down, 0)];
  const share = up + down > 0 ? `${((100 * up) / (up + down)).toFixed(2)}%` : '无数据';
  const cells = all.map(({ up: good, down: bad }, index) => {
    const kind = good + bad === 0 ? 'n' : bad === 0 ? '1' : bad * 100 > good ? '0' : '2';
    return `<rect class="d${kind}" x="${index * 10}" y="0" width="8" height="28" rx="2"/>`;
  });
  const state = monitorState.label(status ?? monitorState.off);
  return `<section><h2><span>${asMarkup(name)}</span><span class="s${status ?? 9}">${state}</span></h2>
<svg viewBox="0 0 900 28" preserveAspectRatio="none" role="img" aria-label="九十天可用率 ${share}">${cells.join('')}</svg>
<p class="muted">90 天可用率 ${share}${planned ? `。计划维护：${asMarkup(planned)}` : ''}</p></section>`;
}
