import { Alert, App, Button, Form, Input, Modal, Radio, Select, Table, Tag } from 'antd';
import { useState } from 'react';
import { messageOf } from '#kernel/contract/call.ts';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { bulk, bulkTitles, mostAtOnce, type BulkChange as Change, BulkRow } from '../../contract/users/bulk.ts';
import { users, type UserRow } from '../../contract/users.ts';
import { DeptPicker } from '../depts/DeptPicker.tsx';
import { PersonPicker } from '../picking/PersonPicker.tsx';
import { HandOver } from './HandOver.tsx';

interface Props {
  rows: readonly UserRow[];
  onClose: () => void;
  onDone: () => void;
}
type What = Change['what'];
const invalidates = ['accounts', 'oauth'];

/** One change for the chosen people: its effect on each is shown before anything is changed. */
export function BulkChange({ rows, onClose, onDone }: Props) {
  const narrow = useNarrow();
  const { message } = App.useApp();
  const { data: grantable = [] } = useCall(users.grantable, {});
  const [what, setWhat] = useState<What>('move');
  const [dept, setDept] = useState<number | null>(null);
  const [roles, setRoles] = useState<number[]>([]);
  const [until, setUntil] = useState('');
  const [from, setFrom] = useState<number | undefined>();
  const [found, setFound] = useState<BulkRow[] | null>(null);
  const [leaver, setLeaver] = useState<BulkRow | null>(null);
  const previewing = useSend(bulk.preview, { onSuccess: ({ value }) => setFound(value) });
  const applying = useSend(bulk.apply, {
    invalidates,
    onSuccess: (reply) => {
      void message.success(messageOf(bulk.apply, reply));
      onDone();
    },
    // The preview is outdated and must be requested anew.
    onError: () => setFound(null),
  });
  const change = changeOf(what, { dept, roles, until, from });
  const able = found?.filter((row) => row.why === '') ?? [];
  const again = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      setFound(null);
      set(value);
    };
  };
  const preview = () => change && previewing.mutate({ body: { ids: rows.map((row) => row.id), change } });
  const apply = () => change && applying.mutate({ body: { ids: able.map((row) => row.id), change } });
  return (
    <Modal
      open
      title={`批量修改 ${rows.length} 个用户`}
      width={narrow ? '100%' : 760}
      onCancel={onClose}
      footer={[
        <Button key="close" onClick={onClose}>
          取消
        </Button>,
        found === null ? (
          <Button
            key="preview"
            type="primary"
            disabled={!change || rows.length > mostAtOnce}
            loading={previewing.isPending}
            onClick={preview}
          >
            预览
          </Button>
        ) : (
          <Button
            key="apply"
            type="primary"
            danger={what === 'disable'}
            disabled={able.length === 0}
            loading={applying.isPending}
            onClick={apply}
          >
            {bulkTitles[what]}（{able.length} 人）
          </Button>
        ),
      ]}
    >
      {rows.length > mostAtOnce && <Alert type="warning" title={`一次最多修改 ${mostAtOnce} 人，请少选一些`} />}
      <Form layout="vertical">
        <Form.Item label="修改什么">
          <Radio.Group
            value={what}
            onChange={(event) => again(setWhat)(event.target.value as What)}
            options={Object.entries(bulkTitles).map(([value, label]) => ({ value, label }))}
          />
        </Form.Item>
        {what === 'disable' && <p className="kit-muted">停用后立即退出登录，不能再被选为办理人</p>}
        {what === 'move' && (
          <Form.Item
            label="新的主部门"
            htmlFor="bulk-dept"
            help="兼职部门不变；角色的数据范围随部门变化；在原部门任负责人等职务的，须先移交"
          >
            <DeptPicker managed id="bulk-dept" value={dept} onChange={again(setDept)} />
          </Form.Item>
        )}
        {(what === 'give' || what === 'take') && (
          <Form.Item label="角色" htmlFor="bulk-roles" help="只列出您可以授予的角色；修改后这些用户须重新登录">
            <Select
              id="bulk-roles"
              mode="multiple"
              value={roles}
              onChange={again(setRoles)}
              optionFilterProp="label"
              options={grantable.map((role) => ({ value: role.id, label: role.name }))}
            />
          </Form.Item>
        )}
        {what === 'copy' && (
          <Form.Item
            label="复制谁的角色"
            htmlFor="bulk-from"
            help="在各人已有的角色之外，加上此人的角色；修改后这些用户须重新登录"
          >
            <PersonPicker by="id" id="bulk-from" value={from} onChange={again(setFrom)} />
          </Form.Item>
        )}
        {(what === 'give' || what === 'copy') && (
          <Form.Item
            label="到期日期"
            htmlFor="bulk-until"
            help={`到这一天为止，次日自动移除，之前 7 天和 1 天提醒本人；${what === 'copy' ? '来源用户先到期的角色按其日期，不填则与来源用户的期限相同' : '不填则长期有效'}`}
          >
            <Input
              id="bulk-until"
              type="date"
              value={until}
              onChange={(event) => again(setUntil)(event.target.value)}
            />
          </Form.Item>
        )}
      </Form>
      {found && (
        <Table<BulkRow>
          size="small"
          rowKey="id"
          pagination={false}
          dataSource={found}
          scroll={{ x: 'max-content', y: 360 }}
          columns={tableColumns(BulkRow, {
            alias: { render: (row) => row.alias || `编号 ${row.id}` },
            before: { render: (row) => row.before || '无' },
            after: { render: (row) => (row.why ? <Tag>不修改</Tag> : row.after || '无') },
            why: {
              width: narrow ? 180 : 280,
              render: (row) => (
                <>
                  {row.why}
                  {row.holds && (
                    <Button size="small" type="link" onClick={() => setLeaver(row)}>
                      移交事项
                    </Button>
                  )}
                </>
              ),
            },
          })}
        />
      )}
      {leaver && (
        <HandOver
          person={leaver}
          onClose={() => {
            setLeaver(null);
            preview();
          }}
        />
      )}
    </Modal>
  );
}

/** The change; null while something is missing. */
function changeOf(
  what: What,
  { dept, roles, until, from }: { dept: number | null; roles: number[]; until: string; from: number | undefined },
): Change | null {
  if (what === 'move') return dept === null ? null : { what, dept };
  const end = until ? { until } : {};
  if (what === 'copy') return from === undefined ? null : { what, from, ...end };
  if (what === 'disable') return { what };
  if (roles.length === 0) return null;
  return what === 'give' ? { what, roles, ...end } : { what, roles };
}
