import { act, useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { secretLevel } from '#modules/office/documents/contract/shapes.ts';
import { distributions } from '../contract.ts';
import type { DistDetail } from '../contract/shapes.ts';

const acts: Acts<DistDetail> = {
  read: {
    label: '签收',
    call: distributions.read,
    offered: (dist) => dist.need_receipt && dist.actions.includes('read'),
    look: { type: 'primary' },
    atOnce: true,
  },
  reply: {
    label: (dist) => (dist.my_reply ? '修改回复' : '回复'),
    title: '回复',
    call: distributions.read,
    initial: (dist) => ({ reply: dist.my_reply }),
    fields: [{ name: 'reply', kind: 'textarea' }],
    submit: '提交回复',
  },
  urge: act({
    label: (dist) => `催读 ${dist.to_urge} 人`,
    title: (dist) => `催读 ${dist.to_urge} 人`,
    call: distributions.urge,
    look: (dist) => ({ type: dist.actions.includes('reply') ? 'default' : 'primary' }),
    initial: { sms: false },
    fields: (dist) => [
      { name: 'content', help: '只提醒还没有阅读的人，同一个人两小时内不重复' },
      ...(dist.secret_level > secretLevel.none ? [] : [{ name: 'sms', kind: 'switch' } as const]),
    ],
    submit: '催读',
    done: ({ sent }) => `已提醒 ${sent} 人`,
  }),
  document: { label: '打开公文', offered: () => true, to: (dist) => `/document/detail/${dist.document_id}` },
  recall: {
    label: '收回',
    title: (dist) => `收回《${dist.title}》`,
    call: distributions.recall,
    danger: true,
    fields: (dist) => [
      {
        name: 'reason',
        help: `${dist.total ?? 0} 位接收人将不再看到这份公文，其中 ${dist.read ?? 0} 人已读；收回后不能恢复`,
      },
    ],
    submit: '收回分发',
    done: '已收回，接收人不再看到',
  },
};

/** The buttons of a distribution, for recipients and for its sender. */
export function DistActions({ dist }: { dist: DistDetail }) {
  const { buttons, drawer } = useActs((key, { id }) => `dist:${id}:${key}`, acts);
  return (
    <>
      {buttons(dist, dist.actions)}
      {drawer}
    </>
  );
}
