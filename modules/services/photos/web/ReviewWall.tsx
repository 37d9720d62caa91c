import { App, Button, Modal, Select, Skeleton, Tag } from 'antd';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { HoldContext, useHeld } from '#kernel/web/kit/form/parts/waiting.ts';
import { photoState, usualReasons } from '../contract/codes.ts';
import { photos } from '../contract/photos.ts';
import { reviews } from '../contract/reviews.ts';
import { type PhotoRow } from '../contract/shapes.ts';
import { Alike, Facts, Large } from './DetailPage.tsx';
import './photos.css';

type Act = 'approve' | 'return' | 'undo';
const marks = { approve: ['success', '已采用'], return: ['error', '已退回'] } as const;
const most = 50;

/** Waiting photos, one after the other by keyboard: shown large with their facts, adopted or returned, with undo. */
export function ReviewWall({ uploader }: { uploader: string | null }) {
  const { message } = App.useApp();
  const client = useQueryClient();
  const query = {
    state: photoState.pending,
    per_page: most,
    order_by: 'id' as const,
    ...(uploader ? { uploader } : {}),
  };
  const { data, error, refetch, isFetching } = useCall(photos.list, { query }, { staleTime: Infinity });
  const rows: readonly PhotoRow[] = data?.value ?? [];
  const [at, setAt] = useState(0);
  const [done, setDone] = useState<ReadonlyMap<number, 'approve' | 'return'>>(new Map());
  const [last, setLast] = useState<readonly number[][]>([]);
  const [asking, setAsking] = useState(false);
  const [large, setLarge] = useState(false);
  const [reasons, setReasons] = useState<string[]>([]);
  const [score, setScore] = useState<number | null>(null);
  const { held, hold } = useHeld();
  const cards = useRef<HTMLUListElement>(null);
  const row = rows[Math.min(at, rows.length - 1)];
  const { data: found } = useCall(
    photos.detail,
    { params: { id: row?.id ?? 0 }, query: {} },
    { enabled: row !== undefined },
  );
  const detail = found?.value.id === row?.id ? found?.value : undefined;

  const go = (to: number) => {
    if (to < 0) return;
    setAt(Math.min(rows.length - 1, to));
    cards.current?.children[to]?.scrollIntoView({ block: 'nearest' });
  };
  const mark = (ids: readonly number[], what: Act) =>
    setDone((was) => {
      const next = new Map(was);
      for (const id of ids) {
        if (what === 'undo') next.delete(id);
        else next.set(id, what);
      }
      return next;
    });
  // Fast reviewers do not wait for the network: a photo counts as reviewed until the answer says otherwise.
  const act = async (what: Act, ids: number[], reason = '') => {
    const body = { ids, act: what, reason, ...(what === 'approve' && score !== null ? { score } : {}) };
    mark(ids, what);
    if (what === 'undo') {
      setLast((was) => was.slice(0, -1));
      go(rows.findIndex((one) => one.id === ids[0]));
    } else {
      setLast((was) => [...was, ids]);
      go(rows.findIndex((one, place) => place > at && !done.has(one.id) && !ids.includes(one.id)));
    }
    const answer = await send(reviews.review, { body }).catch(() => null);
    for (const { ok, msg } of answer?.value ?? []) if (!ok) void message.error(msg);
    const refused = answer ? answer.value.filter((one) => !one.ok).map((one) => one.id!) : ids;
    if (what !== 'undo' && refused.length > 0) {
      mark(refused, 'undo');
      setLast((was) => was.filter((one) => one !== ids));
    }
    void client.invalidateQueries({ queryKey: ['photo', photos.count.path] });
  };
  const one = () => row && !done.has(row.id) && [row.id];
  const undo = () => last.length > 0 && void act('undo', last.at(-1)!);
  const keys: Record<string, () => unknown> = {
    '1': () => held.length === 0 && one() && void act('approve', one() as number[]),
    '2': () => one() && setAsking(true),
    ArrowRight: () => go(at + 1),
    ArrowLeft: () => go(Math.max(0, at - 1)),
    ArrowDown: () => go(at + 5),
    ArrowUp: () => go(Math.max(0, at - 5)),
    ' ': () => setLarge((was) => !was),
    z: undo,
    '+': () => setScore((was) => Math.min(20, (was ?? 1) + 1)),
    '-': () => setScore((was) => Math.max(0, (was ?? 1) - 1)),
  };
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { tagName } = event.target as HTMLElement;
      if (
        /^(INPUT|TEXTAREA)$/.test(tagName) ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        document.querySelector('.ant-modal-wrap[role=dialog]:not([style*="none"])')
      )
        return;
      const does = latest.current[event.key];
      if (!does) return;
      event.preventDefault();
      does();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  const more = async () => {
    setDone(new Map());
    setLast([]);
    setAt(0);
    await refetch();
  };
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 12 }} />;
  if (rows.length === 0)
    return <EmptyState why="没有待审的照片" next={<Button onClick={() => void refetch()}>刷新</Button>} />;
  return (
    <div className="photo-review">
      <div className="kit-row">
        <span className="kit-muted photo-keys">
          <kbd>1</kbd> 采用 <kbd>2</kbd> 退回 <kbd>Z</kbd> 撤销 <kbd>←→</kbd> 移动 <kbd>空格</kbd> 大图 <kbd>+</kbd>
          <kbd>-</kbd> 评分
        </span>
        <HoldContext value={hold}>
          <NumberInput aria-label="得分" min={0} max={20} placeholder="按相册" value={score} onChange={setScore} />
        </HoldContext>
        <Button type="primary" disabled={!one() || held.length > 0} onClick={keys['1']}>
          采用
        </Button>
        <Button danger disabled={!one()} onClick={keys['2']}>
          退回
        </Button>
        <Button disabled={last.length === 0} onClick={undo}>
          撤销
        </Button>
        <span>
          已审 {done.size} / {rows.length}，共 {data.total} 张待审
        </span>
        <Button loading={isFetching} onClick={() => void more()}>
          下一批
        </Button>
      </div>
      <div className="photo-desk">
        <ul className="photo-cards" ref={cards} aria-label="待审照片">
          {rows.map((card, place) => (
            <li key={card.id} className={done.has(card.id) ? 'photo-done' : ''}>
              <button
                type="button"
                aria-current={place === at}
                aria-label={`${card.title}，${card.uploader_name}`}
                onClick={() => setAt(place)}
              >
                <img src={`${card.url}&thumb=1`} alt="" loading="lazy" />
              </button>
              {done.has(card.id) ? (
                <Tag color={marks[done.get(card.id)!][0]}>{marks[done.get(card.id)!][1]}</Tag>
              ) : card.alike_id ? (
                <Tag color="warning">疑似重复</Tag>
              ) : (
                card.burst_id && <Tag>连拍</Tag>
              )}
            </li>
          ))}
        </ul>
        {row && (
          <aside className="kit-panel" aria-label="当前照片">
            <h2>{row.title}</h2>
            <Large photo={row} size="medium" />
            {detail && <Facts row={detail} />}
            {detail && <Alike row={detail} />}
          </aside>
        )}
      </div>
      <Modal
        open={large && row !== undefined}
        onCancel={() => setLarge(false)}
        footer={null}
        width="96vw"
        title={row?.title}
      >
        {row && <Large photo={row} size="large" />}
      </Modal>
      <Modal
        open={asking}
        title={`退回《${row?.title}》`}
        okText="退回"
        okButtonProps={{ danger: true, disabled: reasons.length === 0 }}
        cancelText="取消"
        onCancel={() => setAsking(false)}
        onOk={() => {
          setAsking(false);
          if (row) void act('return', [row.id], reasons.join('、').slice(0, 200));
        }}
      >
        <Select
          aria-label="退回原因"
          className="kit-wide"
          mode="tags"
          placeholder="选择或输入原因"
          value={reasons}
          onChange={setReasons}
          options={usualReasons.map((value) => ({ value, label: value }))}
        />
      </Modal>
    </div>
  );
}
