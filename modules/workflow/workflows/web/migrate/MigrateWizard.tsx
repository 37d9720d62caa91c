import { Alert, Button, Checkbox, Drawer, Form, Progress, Select, Skeleton, Table, Tag } from 'antd';
import { useEffect, useState } from 'react';
import { useSend } from '#kernel/web/calls.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { paged } from '#kernel/web/kit/list/Pager.tsx';
import { MigrationRow, releaseCalls } from '../../contract/release.ts';

interface Props {
  workflowId: number;
  /** The version whose running tickets are moved. */
  fromNo: number;
  onClose: () => void;
}

/** Moves running tickets to the current version: first a report for each, then the chosen ones. */
export function MigrateWizard({ workflowId, fromNo, onClose }: Props) {
  const narrow = useNarrow();
  const [rows, setRows] = useState<MigrationRow[]>([]);
  const [chosen, setChosen] = useState<number[]>([]);
  const [moved, setMoved] = useState(false);
  /** State of the old version → the state of the new one in which its tickets continue. */
  const [states, setStates] = useState<Readonly<Record<number, number>>>({});
  const [open, setOpen] = useState(false);
  const how = {
    from_no: fromNo,
    states: Object.entries(states).map(([from, to]) => ({ from: Number(from), to })),
    open_branches: open,
  };
  const trying = useSend(releaseCalls.migrate, {
    invalidates: [],
    onSuccess: ({ value }) => {
      setRows((before) => [...before, ...value]);
      setChosen((before) => [...before, ...value.filter((row) => row.can_move).map((row) => row.ticket_id)]);
    },
  });
  const moving = useSend(releaseCalls.migrate, {
    invalidates: ['workflows', 'tickets'],
    onSuccess: ({ value }) => {
      const done = new Map(value.map((row) => [row.ticket_id, row]));
      setRows((before) => before.map((row) => done.get(row.ticket_id) ?? row));
      setChosen((before) => before.filter((id) => !done.has(id)));
    },
  });
  const { mutate: attempt } = trying;
  const asked = JSON.stringify(how);
  useEffect(() => {
    setRows([]);
    setChosen([]);
    attempt({ params: { id: workflowId }, body: { dry_run: true, ...(JSON.parse(asked) as typeof how) } });
  }, [attempt, workflowId, asked]);
  const run = async () => {
    // A call takes 200 tickets at most.
    for (let start = 0; start < chosen.length; start += 200) {
      await moving.mutateAsync({
        params: { id: workflowId },
        body: { dry_run: false, ...how, ticket_ids: chosen.slice(start, start + 200) },
      });
    }
    setMoved(true);
  };
  const last = trying.data;
  const more = last?.next_after ?? null;
  const gone = rows.filter((row) => row.moved).length;
  const [needed, setNeeded] = useState<ReadonlyMap<number, string>>(new Map());
  useEffect(() => {
    const more = rows.flatMap((row) => row.needs);
    if (more.length > 0)
      setNeeded((before) => new Map([...before, ...more.map((one) => [one.state_id, one.state_name] as const)]));
  }, [rows]);
  return (
    <Drawer
      open
      title={last ? `迁移到第 ${last.to_no} 版` : '迁移工单'}
      size={narrow ? '100%' : 900}
      onClose={onClose}
      footer={
        <div className="kit-row">
          <Button
            type="primary"
            disabled={chosen.length === 0}
            loading={moving.isPending}
            onClick={() => void run().catch(() => undefined)}
          >
            迁移 {chosen.length} 张工单
          </Button>
          {more !== null && (
            <Button
              loading={trying.isPending}
              onClick={() => attempt({ params: { id: workflowId }, body: { dry_run: true, ...how, after: more } })}
            >
              再查看 200 张
            </Button>
          )}
          <Button onClick={onClose}>关闭</Button>
        </div>
      }
    >
      {!last ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : (
        <div className="kit-stack">
          {moved ? (
            <Alert type="success" showIcon title={`已迁移 ${gone} 张工单`} />
          ) : (
            <Alert
              type="info"
              showIcon
              title={`第 ${fromNo} 版上已查看 ${rows.length} 张运行中的工单，可以迁移 ${rows.filter((row) => row.can_move).length} 张`}
              description="这是试运行的结果，还没有移动任何工单；请核对后选择"
            />
          )}
          {!moved && (
            <Form layout="vertical" component="div" aria-label="怎样迁移">
              {[...needed].map(([id, name]) => (
                <Form.Item key={id} label={`停在“${name}”的工单，改到`} htmlFor={`migrate-${id}`}>
                  <Select
                    id={`migrate-${id}`}
                    allowClear
                    placeholder="请选择新版本的环节"
                    options={last.targets.map((one) => ({ value: one.state_id, label: one.state_name }))}
                    value={states[id]}
                    onChange={(to: number | undefined) => {
                      const { [id]: _was, ...others } = states;
                      setStates(to === undefined ? others : { ...others, [id]: to });
                    }}
                  />
                </Form.Item>
              ))}
              <Checkbox checked={open} onChange={(event) => setOpen(event.target.checked)}>
                新版本多出的分支，为已经分开办理的工单补开
              </Checkbox>
            </Form>
          )}
          {moving.isPending && (
            <Progress percent={Math.round((gone / Math.max(1, gone + chosen.length)) * 100)} aria-label="迁移进度" />
          )}
          <Table<MigrationRow>
            rowKey="ticket_id"
            size="small"
            pagination={paged(20)}
            scroll={{ x: 'max-content' }}
            dataSource={rows}
            rowSelection={{
              selectedRowKeys: chosen,
              onChange: (keys) => setChosen(keys.map(Number)),
              getCheckboxProps: (row) => ({ disabled: !row.can_move || row.moved, 'aria-label': `选择工单 ${row.sn}` }),
            }}
            columns={tableColumns(MigrationRow, {
              sn: {},
              title: {},
              state_name: {},
              to_state_name: {},
              can_move: {
                render: (row) => (
                  <div>
                    <Tag
                      color={
                        row.moved ? 'success' : row.can_move ? 'processing' : row.needs.length > 0 ? 'warning' : 'error'
                      }
                    >
                      {row.moved
                        ? '已迁移'
                        : row.can_move
                          ? '可以迁移'
                          : row.needs.length > 0
                            ? '需要指定环节'
                            : '不能迁移'}
                    </Tag>
                    {row.msgs.map((msg) => (
                      <p key={msg} className="kit-muted">
                        {msg}
                      </p>
                    ))}
                  </div>
                ),
              },
            })}
          />
        </div>
      )}
    </Drawer>
  );
}
