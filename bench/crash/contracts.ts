import type { Db } from '#kernel/server/db/db.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Who } from './asking.ts';
import { way, type Ground, type Papers, type Step } from './steps.ts';

// The numbers of the transitions of 合同审批.
const [headAgrees, financeAgrees, leaderAgrees] = [3, 9, 11];
const amount = 1000;
// The maximum number of a person's unused uploads.
const most = 90;

/** Returns a function that uploads for a module and returns the file's id. */
export const uploading =
  (passOf: (who: Who) => string, origin: string) =>
  async (who: Who, module: string, content: string | Uint8Array<ArrayBuffer>, name: string): Promise<number> => {
    const form = new FormData();
    form.set('module', module);
    form.set('file', new Blob([content]), name);
    const headers = { authorization: `JWT ${passOf(who)}` };
    const reply = await fetch(`${origin}/api/file/upload/`, { method: 'POST', headers, body: form });
    const { code, msg, data } = (await reply.json()) as { code: number; msg: string; data: { id: number } };
    if (code !== 0) throw new Error(`文件没有上传：${msg}`);
    return data.id;
  };

/** Uploads the files with which this run's contracts are signed and paid. */
export async function bringPapers(passOf: (who: Who) => string, origin: string): Promise<Papers> {
  const upload = uploading(passOf, origin);
  const some = async (who: Who, count: number) => {
    const ids: number[] = [];
    for (let n = 0; n < count; n += 1)
      ids.push(await upload(who, 'contracts', `%PDF-1.4 ${crypto.randomUUID()}`, '凭证.pdf'));
    return ids;
  };
  return { scans: await some('clerk', most / 2), vouchers: await some('finance', most) };
}

/** The steps of a framework contract from its draft to its last payment; without files left it is approved and waits. */
export function contractLife({ contractCategory, keeper, papers: left }: Ground, title: string): Step[] {
  const today = dayOf(new Date());
  const drafted: Step = {
    who: 'clerk',
    says: 'submit',
    method: 'POST',
    path: '/api/contract/',
    body: () => ({
      name: title,
      category_id: contractCategory,
      our_party: '示范大学',
      parties: [{ name: '晨光文具有限公司' }],
      pay_direction: 1,
      nature: 2,
      amount_cap: amount,
      start_date: today,
      end_date: today,
      content: '<p>双方约定如下。</p>',
      submit: true,
    }),
  };
  const approved = [drafted, way('head', headAgrees), way('finance', financeAgrees), way('leader', leaderAgrees)];
  const scan = left.scans.pop();
  if (scan === undefined) return approved;
  const registered = (who: Who, body: () => object): Step => ({
    who,
    says: null,
    method: 'POST',
    path: '/api/contract/manage/{id}/dengji/',
    body,
  });
  const signed = {
    type: 'sign',
    sign_date: today,
    signed_file: scan,
    authority: 1,
    copies_total: 2,
    copies_kept: 1,
    keeper,
  };
  const paid = (part: number) => {
    const files = [left.vouchers.pop()!];
    const row = { kind: 1, name: '合同款', plan_date: today };
    return registered('finance', () => ({ type: 'performance', date: today, amount: part, files, row }));
  };
  return [...approved, registered('clerk', () => signed), paid(400), paid(600)];
}

/** Invariants of contracts: numbers without gaps, sums that match their entries, nothing half signed or half paid. */
export async function contractTroubles(tx: Db): Promise<string[]> {
  const { rows } = await tx.$client.query<{ what: string; id: number }>(`
    select '合同没有编号，或编号簿与它不符' as what, c.id from contract c left join contract_number n on n.contract_id = c.id and n.state = 1
      where c.stage between 20 and 80 and not c.imported and n.contract_no is distinct from c.contract_no
    union all select '编号有空缺', max(seq) from contract_number where category_id is not null group by category_id, year having max(seq) <> count(*)
    union all select '已签订而没有期限或履约节点', c.id from contract c where c.stage >= 30 and c.stage < 90 and c.nature <> 3
      and (not exists (select from contract_term t where t.contract_id = c.id)
        or (jsonb_array_length(c.plans) > 0 and not exists (select from contract_performance p where p.contract_id = c.id)))
    union all select '已签订而没有登记', c.id from contract c where c.sign_date is not null and not c.imported
      and not exists (select from contract_event e where e.contract_id = c.id and e.type = 'sign')
    union all select '节点合计与登记不符', p.id from contract_performance p
      where p.done_amount <> (select coalesce(sum(e.amount), 0) from contract_entry e where e.performance_id = p.id)
    union all select '已付与登记不符', c.id from contract c where c.paid <> (select coalesce(sum(e.amount), 0) from contract_entry e
      join contract_performance p on p.id = e.performance_id where e.contract_id = c.id and p.kind = c.pay_direction)
    union all select '收付登记没有事件', e.id from contract_entry e join contract c on c.id = e.contract_id
      where not c.imported and not exists (select from contract_event v where v.entry_id = e.id)
    union all select '文件没有归属', f.id from contract_entry e join file f on f.id = any(e.file_ids) where f.owner_id is distinct from e.contract_id::text`);
  return rows.map(({ what, id }) => `${what}：${id}`);
}
