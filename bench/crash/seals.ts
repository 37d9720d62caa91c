import type { Db } from '#kernel/server/db/db.ts';
import type { Who } from './asking.ts';
import { uploading } from './contracts.ts';
import { way, type Ground, type SealPapers, type Step } from './steps.ts';

/** The number of the transition of 用印审批; the seal belongs to the head's own department, so that one approval is enough. */
const headAgrees = 3;
const most = 40;
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Uploads the files that this run seals, and the pictures of the sealed pages. */
export async function bringSealPapers(passOf: (who: Who) => string, origin: string): Promise<SealPapers> {
  const upload = uploading(passOf, origin);
  const papers: SealPapers = { toSeal: [], shots: [] };
  for (let n = 0; n < most; n += 1) {
    papers.toSeal.push(await upload('clerk', 'stamps', `%PDF-1.4 ${crypto.randomUUID()}`, '用印文件.pdf'));
    if (n % 2 === 0) papers.shots.push(await upload('second', 'stamp_pictures', dot, '用印.png'));
  }
  return papers;
}

/** The steps of an application from its submission to the seal, or to its end; none without files left. */
export function sealLife({ seal, sealPapers: left }: Ground, title: string): Step[] {
  const file = left.toSeal.pop();
  if (file === undefined) return [];
  const asked: Step = {
    who: 'clerk',
    says: 'submit',
    method: 'POST',
    path: '/api/stamp/application/',
    body: () => ({
      title,
      reason: '崩溃试验',
      file_kind: 4,
      copies: 2,
      no_blanks: true,
      submit: true,
      files: [file],
      lines: [{ stamp_id: seal }],
    }),
  };
  const one = '/api/stamp/application/{id}/';
  const shot = left.toSeal.length % 2 === 0 ? left.shots.pop() : undefined;
  const sealed: Step = {
    who: 'second',
    says: null,
    method: 'PATCH',
    path: `${one}upload_pic/`,
    body: () => ({ stamp_ids: [seal], kind: 'seal', pictures: [shot], remark: '崩溃试验' }),
  };
  const ends: Step =
    left.toSeal.length % 4 === 1
      ? { who: 'second', says: null, method: 'POST', path: `${one}refuse/`, body: () => ({ reason: '页数不符' }) }
      : { who: 'clerk', says: null, method: 'POST', path: `${one}cancel/`, body: () => ({ reason: '不用了' }) };
  return [asked, way('head', headAgrees), shot === undefined ? ends : sealed];
}

/** Invariants of seals: every sealed file is in the ledger with its picture, once, and every reservation belongs to an application. */
export async function sealTroubles(tx: Db): Promise<string[]> {
  const { rows } = await tx.$client.query<{ what: string; id: number }>(`
    select '已用印而没有台账或照片' as what, l.id from stamp_line l join stamp_application a on a.id = l.application_id
      where l.state = 2 and a.title like 'crash%' and (not exists (select from stamp_use u where u.line_id = l.id)
        or not exists (select from stamp_picture p where p.line_id = l.id))
    union all select '台账的用印没有做完', u.id from stamp_use u join stamp_line l on l.id = u.line_id where l.state not in (2, 4)
    union all select '申请与它的印章状态不符', a.id from stamp_application a join stamp_line l on l.application_id = a.id
      where a.title like 'crash%' and a.seal_status <> l.state
    union all select '已通过而没有核验码', a.id from stamp_application a where a.act_state = 4
      and not exists (select from verify_code c where c.module = 'stamps' and c.record_id = a.id)
    union all select '外借与印章状态不符', s.id from stamp s
      where (s.status = 2) <> exists (select from stamp_loan o where o.stamp_id = s.id and o.returned_at is null)`);
  return rows.map(({ what, id }) => `${what}：${id}`);
}
