import { useEffect, useState, type FormEvent } from 'react';
import type { Asked, Calls, ReplyOf } from '#kernel/contract/call.ts';
import { dropYear } from '#kernel/contract/moment.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { newAttempt, send, upload } from '#kernel/web/client.ts';
import { orderStage, rating } from '#modules/services/orders/contract/codes.ts';
import { labels, visitorHeader, visitors, type VisitorRow } from '#modules/services/orders/contract/visitors.ts';
import { PhoneCodeForm } from './PhoneCodeForm.tsx';
import { Sheet } from './Sheet.tsx';
import { sentenceOf } from './signIn.ts';
import type { Site } from './useSite.ts';

const key = 'order-visitor';
/** The number that was proven last, which outlives its proof: what was typed is kept for it alone. */
const numberKey = 'order-visitor-number';
/** The orders and choices of a proven number, with the proof they were read by. */
type Mine = ReplyOf<typeof visitors.mine> & { proof: string | null };
const ask = <C extends Calls[string]>(call: C, asked: Asked<C>) =>
  send(call, asked, { quiet: true, headers: { [visitorHeader]: sessionStorage.getItem(key) ?? '' } });

/** 我的工单 for people without an account: a verified phone number reports problems, and sees its own orders. */
export default function MyOrder({ site }: { site: Site }) {
  const [ticket, keep] = useState(() => sessionStorage.getItem(key));
  // Once it was open it stays: what was typed and chosen is there again when the number is proven anew.
  const [opened, open] = useState(ticket !== null);
  const [turn, pass] = useState(0);
  if (site.login && !site.login.visitor_orders)
    return (
      <Sheet site={site} title="我的工单">
        <p>登录后可查看您提交的工单和办理进度</p>
        <a className="filled" href="/login?redirect=%2FmyOrder">
          去登录
        </a>
      </Sheet>
    );
  const prove = async (phone: string, code: string) => {
    const { ticket: given } = await send(visitors.visitor, { body: { phone, code } }, { quiet: true });
    sessionStorage.setItem(key, given);
    const before = sessionStorage.getItem(numberKey);
    sessionStorage.setItem(numberKey, phone);
    // Another number is somebody else: nothing that the first one saw, typed or chose is left.
    if (before !== null && before !== phone) pass((last) => last + 1);
    keep(given);
    open(true);
  };
  const forget = () => {
    sessionStorage.removeItem(key);
    keep(null);
  };
  return (
    <Sheet site={site} title="报修与查询">
      {!ticket && (
        <>
          <p>{opened ? '手机验证已过期，请重新验证，已填写的内容还在' : '用手机号报修、查询进度，无需账号'}</p>
          <PhoneCodeForm scene="order" submit="进入" onSubmit={prove} />
          <a className="other" href={`/login?redirect=${encodeURIComponent(location.pathname + location.search)}`}>
            本单位人员登录
          </a>
        </>
      )}
      {opened && (
        <div hidden={!ticket}>
          <Orders key={turn} ticket={ticket} onExpired={forget} />
        </div>
      )}
    </Sheet>
  );
}

function Orders({ ticket, onExpired }: { ticket: string | null; onExpired: () => void }) {
  const [mine, set] = useState<Mine | null>(null);
  const [said, say] = useState('');
  const failed = (error: unknown) => {
    say(sentenceOf(error));
    if ((error as { code?: number }).code === codes.signedOut) onExpired();
  };
  const load = () => {
    const proof = sessionStorage.getItem(key);
    const show = (found: ReplyOf<typeof visitors.mine>) => {
      // An answer to an earlier proof may come after that to a later one.
      if (proof === sessionStorage.getItem(key)) set({ ...found, proof });
    };
    return ask(visitors.mine, {}).then(show, failed);
  };
  useEffect(() => {
    if (ticket === null) return;
    say('');
    void load();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- asked once a ticket; whatever is done asks again
  }, [ticket]);
  const act = async (work: () => Promise<unknown>) => {
    say('');
    await work().then(load, failed);
  };
  if (!mine) return <p role="alert">{said || '正在打开'}</p>;
  return (
    <>
      <p role="alert" className="error">
        {said}
      </p>
      <Report mine={mine} onSaid={say} onFailed={failed} onDone={load} />
      {mine.office_phone && (
        <a className="other" href={`tel:${mine.office_phone.replace(/[^\d+]/g, '')}`}>
          拨打受理电话 {mine.office_phone}
        </a>
      )}
      {mine.proof === ticket && mine.value.map((row) => <One key={row.id} row={row} act={act} />)}
    </>
  );
}

/** A photo of an existing order that could not be uploaded; retried as the same attempt, so that it is stored once. */
interface Unsent {
  attempt: string;
  id: number;
  sn: string;
  photo: File;
}

interface ReportProps {
  mine: Mine;
  onSaid: (said: string) => void;
  onFailed: (error: unknown) => void;
  onDone: () => Promise<void>;
}
function Report({ mine, onSaid, onFailed, onDone }: ReportProps) {
  const label = new URLSearchParams(location.search).get('label') ?? '';
  const [place, set] = useState<ReplyOf<typeof labels.label>['value'] | null>(null);
  const [share, sent] = useState<number | null>(null);
  const [unsent, keepUnsent] = useState<readonly Unsent[]>([]);
  useEffect(() => {
    if (label)
      void send(labels.label, { params: { code: label } }, { quiet: true }).then(
        (found) => set(found.value),
        (error: unknown) => onSaid(sentenceOf(error)),
      );
  }, [label, onSaid]);
  /** The order exists already: only the photo can fail here, and only it is retried. */
  const attach = async (one: Unsent) => {
    const others = (all: readonly Unsent[]) => all.filter(({ id }) => id !== one.id);
    try {
      await upload(visitors.photo, { params: { id: one.id } }, one.photo, {
        quiet: true,
        attempt: one.attempt,
        onProgress: sent,
        headers: { [visitorHeader]: sessionStorage.getItem(key) ?? '' },
      });
      keepUnsent(others);
    } catch (error) {
      keepUnsent((all) => [...others(all), one]);
      onFailed(error);
    }
    sent(null);
  };
  const hand = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const text = (name: string) => String(given.get(name) ?? '').trim();
    const [photo] = (form.elements.namedItem('photo') as HTMLInputElement).files ?? [];
    onSaid('');
    try {
      const description = text('description');
      const body = {
        title: `${place?.name ?? text('place')} ${description}`.slice(0, 80),
        category_id: Number(given.get('category_id')),
        description,
        contact: text('contact'),
        ...(place ? { label } : { place: text('place') }),
      };
      const made = await ask(visitors.place, { body });
      form.reset();
      if (photo) await attach({ ...made, photo, attempt: newAttempt() });
    } catch (error) {
      return onFailed(error);
    }
    await onDone();
  };
  const retry = async (one: Unsent) => {
    onSaid('');
    await attach(one);
    await onDone();
  };
  return (
    <form onSubmit={(event) => void hand(event)}>
      <label htmlFor="photo">照片</label>
      <input id="photo" name="photo" type="file" accept="image/*" capture="environment" />
      {share !== null && <progress value={share} max={1} aria-label="照片上传进度" />}
      {unsent.map((one) => (
        <p key={one.id} role="status">
          {one.sn} 已提交，照片还没有传上去：
          <button type="button" className="quiet" disabled={share !== null} onClick={() => void retry(one)}>
            重试
          </button>
          <button
            type="button"
            className="quiet"
            disabled={share !== null}
            onClick={() => keepUnsent((all) => all.filter(({ id }) => id !== one.id))}
          >
            不传了
          </button>
        </p>
      ))}
      <label htmlFor="category">故障类别</label>
      <select
        id="category"
        name="category_id"
        key={place?.category_id ?? 0}
        defaultValue={place?.category_id ?? undefined}
      >
        {mine.categories.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
      <label htmlFor="place">地点</label>
      {place ? (
        <p>{[place.building, place.floor, place.room, place.name].filter(Boolean).join(' ')}</p>
      ) : (
        <input id="place" name="place" required maxLength={100} />
      )}
      <label htmlFor="description">故障情况</label>
      <textarea id="description" name="description" required maxLength={2000} rows={3} />
      <label htmlFor="contact">称呼</label>
      <input id="contact" name="contact" maxLength={20} />
      <button type="submit" className="filled">
        提交报修
      </button>
    </form>
  );
}

function One({ row, act }: { row: VisitorRow; act: (work: () => Promise<unknown>) => Promise<void> }) {
  const [words, write] = useState('');
  const change = (s: 1 | 3 | 4) => () =>
    void act(() => ask(visitors.state, { params: { id: row.id }, body: { s, remark: words } }));
  const rate = (score: number) => () =>
    void act(() => ask(visitors.comment, { params: { id: row.id }, body: { score: score as 5, content: words } }));
  const may = (one: VisitorRow['may'][number]) => row.may.includes(one);
  return (
    <section aria-label={row.title}>
      <h2>
        {row.title}（{orderStage.label(row.stage)}）
      </h2>
      <p>
        {row.sn}，{row.place}
        {row.hang_until &&
          row.stage === orderStage.hung &&
          `，预计 ${dropYear(row.hang_until.slice(0, 16), new Date())} 恢复`}
        {row.result && `，${row.result}`}
      </p>
      {(may('rework') || may('comment')) && (
        <textarea
          aria-label="说明"
          placeholder="说明或评价"
          rows={2}
          value={words}
          onChange={(event) => write(event.target.value)}
        />
      )}
      {may('confirm') && (
        <button type="button" className="filled" onClick={change(4)}>
          已修好
        </button>
      )}
      {may('rework') && (
        <button type="button" className="other" onClick={change(1)}>
          没修好，返工
        </button>
      )}
      {may('comment') &&
        row.stage >= orderStage.confirmed &&
        [5, 4, 3, 2, 1].map((score) => (
          <button key={score} type="button" className="quiet" onClick={rate(score)}>
            {rating.label(score)}
          </button>
        ))}
      {may('withdraw') && (
        <button type="button" className="quiet" onClick={change(3)}>
          撤回
        </button>
      )}
    </section>
  );
}
