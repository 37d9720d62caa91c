import { Alert, Button, Modal, Skeleton } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { act, useActs } from '#kernel/web/kit/press/acts.tsx';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { type Feed, FeedInput, feeds, mostFeeds, remindNames } from '../contract.ts';

/** My calendar addresses: their sources, adding, renewing and ending one. */
export default function CalendarFeeds() {
  const { data, error, refetch } = useCall(feeds.list, {});
  const [path, setPath] = useState<string | null>(null);
  const options = data?.kinds.map(({ key, name }) => ({ value: key, label: name })) ?? [];
  const show = { onDone: (made: { path: string }) => setPath(made.path) };
  const { buttons } = useActs<Feed>('feed', {
    renew: act({
      ...show,
      label: '更换地址',
      title: ({ name }) => `更换“${name}”的地址`,
      call: feeds.add,
      only: [],
      also: ({ id, name, keys, titles, remind }) => ({ name, keys, titles, remind, renews: id }),
      confirm: '原来的地址立即失效，要在日历软件里重新订阅',
    }),
    remove: {
      label: '停用',
      title: ({ name }) => `停用“${name}”`,
      call: feeds.remove,
      danger: true,
      confirm: '订阅它的日历软件不再得到内容',
    },
  });
  const adding = useActs(() => 'feed:new', {
    add: act({
      ...show,
      label: '生成日历地址',
      call: feeds.add,
      initial: { keys: options.map(({ value }) => value) },
      fields: fieldsOf(FeedInput.shape, {
        name: { placeholder: '如 手机' },
        keys: { options },
        titles: data?.may_name ? {} : null,
      }),
    }),
  });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active />;
  const namesOf = (keys: readonly string[]) =>
    data.kinds.flatMap(({ key, name }) => (keys.includes(key) ? [name] : [])).join('、');
  return (
    <>
      <p className="kit-muted">在手机或电脑的日历软件里订阅这个地址，就能看到自己的安排；内容按您当时的权限给出。</p>
      {data.value.length === 0 && <EmptyState why="还没有日历地址" />}
      <ul className="kit-cards">
        {data.value.map((feed) => (
          <li key={feed.id} className="kit-panel kit-row">
            <div className="kit-grow">
              {feed.name}
              <p className="kit-muted">
                {namesOf(feed.keys)} · {feed.titles && data.may_name ? '写明内部标题 · ' : ''}
                {feed.remind === null ? '' : `${remindNames[feed.remind]}提醒 · `}生成于{' '}
                <Moment at={feed.gmt_created} /> ·{' '}
                {feed.last_read_at ? (
                  <>
                    最近读取 <Moment at={feed.last_read_at} />
                  </>
                ) : (
                  '还没有读取过'
                )}
              </p>
            </div>
            {buttons(feed, ['renew', 'remove'])}
          </li>
        ))}
      </ul>
      {data.value.length < mostFeeds && adding.buttons({ id: 'new' }, ['add'])}
      {adding.drawer}
      <Modal
        open={path !== null}
        title="日历地址"
        onCancel={() => setPath(null)}
        footer={<Button onClick={() => setPath(null)}>我已保存</Button>}
      >
        {path !== null && <Address url={location.origin + path} />}
      </Modal>
    </>
  );
}

function Address({ url }: { url: string }) {
  return (
    <>
      <Alert
        type="warning"
        title="地址只显示这一次。有这个地址的人不用登录就能看到日历，请不要转发给别人；泄露时更换地址。"
      />
      <p>
        <CopyText text={url} button="复制地址" />
      </p>
      <p>
        <a href={url.replace(/^https?:/, 'webcal:')}>在本机的日历软件中打开</a>
      </p>
    </>
  );
}
