import { Alert, App, Button, Modal, Skeleton, Table } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { PersonPicker } from '#modules/people/widgets.tsx';
import { handover, type OpenTask } from '../../contract/handover.ts';

interface Props {
  person: { id: number; alias: string };
  onClose: () => void;
}

/** What a person who is about to leave has to do, and to whom it goes; what is left goes its own way once the account is closed. */
export function HandOver({ person, onClose }: Props) {
  const params = { id: person.id };
  const { data, error, refetch } = useCall(handover.openTasks, { params, query: { per_page: 100 } });
  const [to, setTo] = useState<string | undefined>();
  const [kept, setKept] = useState<string[]>([]);
  const { message } = App.useApp();
  const sending = useSend(handover.handOver, {
    invalidates: ['accounts', 'tickets'],
    onSuccess: (reply) => {
      void message.success(`已移交 ${reply.moved} 项待办`);
      setKept(reply.kept.map((one) => `${one.sn}：${one.msg}`));
    },
  });
  const left = data?.total ?? 0;
  return (
    <Modal
      open
      title={`“${person.alias}”的待办`}
      onCancel={onClose}
      footer={[
        <Button key="close" onClick={onClose}>
          关闭
        </Button>,
        left > 0 && (
          <Button
            key="go"
            type="primary"
            disabled={!to}
            loading={sending.isPending}
            onClick={() => to && sending.mutate({ params, body: { target_username: to } })}
          >
            移交 {left} 项待办
          </Button>
        ),
      ]}
    >
      {error && !data && <FailedState error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active />}
      {kept.length > 0 && <Alert type="warning" title="以下待办未能移交" description={kept.join('；')} />}
      {data && left === 0 && <p>没有等待处理的工单。</p>}
      {data && left > 0 && (
        <>
          <p>停用账号前，可以把这些工单移交给指定的人，记录上会写明由您移交；没有移交的，停用时按各流程的设置转交。</p>
          <label>
            接收人
            <PersonPicker value={to} onChange={setTo} />
          </label>
          <Table<OpenTask>
            size="small"
            rowKey="id"
            dataSource={data.value}
            pagination={left > 10 ? { pageSize: 10, showSizeChanger: false } : false}
            columns={[
              { dataIndex: 'sn', title: '流水号' },
              { dataIndex: 'workflow_name', title: '类型' },
              { dataIndex: 'state_name', title: '环节' },
              { dataIndex: 'opened_at', title: '到达', render: (at: string) => <Moment at={at} /> },
            ]}
          />
        </>
      )}
    </Modal>
  );
}
