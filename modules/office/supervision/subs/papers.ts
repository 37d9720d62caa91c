import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { SheetInput } from '#modules/platform/typesetting/service.ts';
import * as codes from '../contract/codes.ts';
import type { PersonCard } from '#modules/platform/people/service.ts';
import { named } from '../record/columns.ts';
import { itemDetail } from '../record/rows.ts';
import { requireItem, type Asker } from '../record/visibility.ts';
import { listOpinions, listProgress, numberOf } from './hung.ts';
import { requireSheet } from './sheets.ts';

const wide = (label: string, value: string) => ({ label, value, wide: true });
const nameOf = (card: { alias: string } | null) => card?.alias ?? '';
const minute = (at: string | null) => at?.slice(0, 16) ?? '';

/** 督办单 as a print: colour, recipient, deadline, signature. */
export async function sheetPaper(tx: Db, asker: Asker, id: number): Promise<SheetInput> {
  const { row, item, sub } = await requireSheet(tx, asker, id);
  const [named_] = await named(tx, [row], ['owner', 'issuer', 'received_by'], ['dept']);
  const { owner_info, issuer_info, received_by_info, dept_name } = named_!;
  const name =
    row.colour === codes.sheetColour.white ? '督办通知单' : `督办单（${codes.sheetColour.label(row.colour)}）`;
  const signed = {
    state: '签收',
    who: nameOf(received_by_info),
    dept: dept_name,
    did: '签收',
    words: row.answer,
    at: row.received_at ?? '',
    signature: null,
  };
  return {
    name,
    org: '',
    facts: [
      { label: '编号', value: numberOf(row) },
      { label: '签发', value: `${nameOf(issuer_info)} ${row.gmt_created.slice(0, 10)}` },
      wide('督办事项', `${item.title}（${item.sn}）`),
      wide('任务', sub.title),
      { label: '承办部门', value: dept_name },
      { label: '责任人', value: nameOf(owner_info) },
      { label: '完成时限', value: minute(sub.due_at) },
      { label: '答复时限', value: minute(row.answer_by) },
      wide('督办内容', row.content),
    ],
    opinions: row.received_at ? [signed] : [],
  };
}

/** The limit of reports and opinions on paper. */
const most = { page: 1, per_page: 500, search_value: '' } as const;
const said = (who: PersonCard | null, place?: PersonCard | null) =>
  place ? `${nameOf(who)}（代${place.alias}）` : nameOf(who);
/** 督办事项单: the item, its parts, and the reports and opinions that the user may read. */
export async function itemPaper(tx: Db, asker: Asker, id: number, now: Date): Promise<SheetInput> {
  const { whole, own } = await requireItem(tx, asker, id);
  if (!whole && !own) throw absent('督办事项');
  const item = await itemDetail(tx, asker, id, now);
  const reports = (await listProgress(tx, asker, { ...most, supervise_id: id })).value;
  const opinions = (await listOpinions(tx, asker, { ...most, supervise_id: id })).value;
  const moved = (row: { due_at: string | null; first_due_at: string | null }) =>
    row.first_due_at && row.first_due_at !== row.due_at
      ? `${minute(row.due_at)}（原定 ${minute(row.first_due_at)}）`
      : minute(row.due_at);
  const facts = [
    { label: '编号', value: item.sn },
    { label: '状态', value: `${codes.itemState.label(item.status)}，${codes.superviseLight.label(item.light)}灯` },
    { label: '来源', value: codes.superviseSource.label(item.source) },
    { label: '级别', value: codes.superviseLevel.label(item.level) },
    wide('事项', item.title),
    wide('内容', item.content),
    wide('办理要求', item.requirement),
    { label: '主办部门', value: item.lead_dept_name },
    { label: '责任人', value: nameOf(item.owner_info) },
    { label: '督办人', value: nameOf(item.supervisor_info) },
    { label: '批示领导', value: nameOf(item.leader_info) },
    wide('协办部门', item.co_dept_names.join('、')),
    { label: '时限', value: moved(item) },
    { label: '认可进度', value: `${item.progress}%` },
    ...item.subs.map((sub, at) =>
      wide(
        `任务 ${at + 1}`,
        `${sub.title}\n${sub.dept_name} ${nameOf(sub.owner_info)}，时限 ${moved(sub)}，${codes.subState.label(sub.status)}，${sub.progress}%`,
      ),
    ),
    wide('办结说明', item.finish_note && `${item.finish_note}${item.score === null ? '' : `（${item.score} 分）`}`),
  ].filter((fact) => fact.value !== '');
  const lines = [
    ...reports.map((row) => ({
      state: row.sub_title,
      who: said(row.reporter_info, row.reporter_for_info),
      did: `${row.before}%→${row.percent}% ${codes.checkState.label(row.check_state)}`,
      words: [
        row.content,
        row.problem && `问题：${row.problem}`,
        row.next_plan && `下一步：${row.next_plan}`,
        row.check_opinion && `审核意见（${said(row.checker_info, row.checker_for_info)}）：${row.check_opinion}`,
      ]
        .filter(Boolean)
        .join('\n'),
      at: row.gmt_created,
    })),
    ...opinions.map((row) => ({
      state: row.sub_title || '事项',
      who: nameOf(row.author_info),
      did: codes.opinionType.label(row.type),
      words: row.content,
      at: row.gmt_created,
    })),
  ].toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return {
    name: '督办事项单',
    org: '',
    facts,
    opinions: lines.map((line) => ({ ...line, dept: '', at: minute(line.at), signature: null })),
  };
}
