import { App, Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { secretLevel } from '#modules/office/documents/contract/shapes.ts';
import { distributions } from '../contract.ts';
import type { DistDetail } from '../contract/shapes.ts';

/** The buttons of a distribution, for recipients and for its sender. */
export function DistActions({ dist }: { dist: DistDetail }) {
  const { message } = App.useApp();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'reply' | 'urge' | 'recall' | null>(null);
  const params = { id: dist.id };
  const may = (action: string) => dist.actions.includes(action);
  const drawer = { open: true, onClose: () => setOpen(null), params, onDone: () => undefined };
  return (
    <>
      <CallButton
        call={distributions.read}
        asked={{ params, body: {} }}
        allowed={dist.need_receipt && may('read')}
        type="primary"
      >
        签收
      </CallButton>
      {may('reply') && <Button onClick={() => setOpen('reply')}>{dist.my_reply ? '修改回复' : '回复'}</Button>}
      {may('urge') && (
        <Button type={may('reply') ? 'default' : 'primary'} onClick={() => setOpen('urge')}>
          催读 {dist.to_urge} 人
        </Button>
      )}
      <Button onClick={() => void navigate(`/document/detail/${dist.document_id}`)}>打开公文</Button>
      {may('recall') && (
        <Button danger onClick={() => setOpen('recall')}>
          收回
        </Button>
      )}
      {open === 'reply' && (
        <FormDrawer
          {...drawer}
          title="回复"
          name={`dist:${dist.id}:reply`}
          call={distributions.read}
          initial={{ reply: dist.my_reply }}
          submit="提交回复"
          fields={[{ name: 'reply', kind: 'textarea' }]}
        />
      )}
      {open === 'urge' && (
        <FormDrawer
          {...drawer}
          title={`催读 ${dist.to_urge} 人`}
          name={`dist:${dist.id}:urge`}
          call={distributions.urge}
          initial={{ sms: false }}
          submit="催读"
          fields={[
            { name: 'content', help: '只提醒还没有阅读的人，同一个人两小时内不重复' },
            ...(dist.secret_level > secretLevel.none ? [] : [{ name: 'sms', kind: 'switch' } as const]),
          ]}
          onDone={({ sent }) => void message.success(`已提醒 ${sent} 人`)}
        />
      )}
      {open === 'recall' && (
        <FormDrawer
          {...drawer}
          title={`收回《${dist.title}》`}
          name={`dist:${dist.id}:recall`}
          call={distributions.recall}
          submit="收回分发"
          fields={[
            {
              name: 'reason',
              help: `${dist.total ?? 0} 位接收人将不再看到这份公文，其中 ${dist.read ?? 0} 人已读；收回后不能恢复`,
            },
          ]}
          onDone={() => void message.success('已收回，接收人不再看到')}
        />
      )}
    </>
  );
}
