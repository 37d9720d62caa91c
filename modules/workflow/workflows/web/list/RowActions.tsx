import { MoreOutlined } from '@ant-design/icons';
import { App, Button, Dropdown } from 'antd';
import { useNavigate } from 'react-router';
import { onOff } from '#kernel/contract/titles.ts';
import { send } from '#kernel/web/client.ts';
import { useSend } from '#kernel/web/calls.ts';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { saveFile } from '#kernel/web/kit/saveFile.ts';
import type { Workflow } from '../../contract.ts';
import { designCalls } from '../../contract/design.ts';
import { designOf } from './addresses.ts';
import { fileOf } from './import.ts';

interface Props {
  row: Workflow;
  onVersions: () => void;
  onCopy: () => void;
  onSwitch: (status: 0 | 1) => void;
}

/** Actions on one workflow of the list. */
export function RowActions({ row, onVersions, onCopy, onSwitch }: Props) {
  const may = usePermission();
  const go = useNavigate();
  const { modal, message } = App.useApp();
  const removing = useSend(designCalls.remove, { onSuccess: () => void message.success('流程已删除') });
  const save = async () => {
    const design = await send(designCalls.get, { params: { id: row.id } });
    saveFile(new Blob([fileOf(design)], { type: 'application/json' }), `${row.name}.json`);
  };
  const remove = () =>
    modal.confirm({
      title: `删除流程“${row.name}”`,
      content: '草稿和所有版本会一并删除，无法恢复；已有工单的流程不能删除，可以停用',
      okText: '删除',
      okButtonProps: { danger: true },
      cancelText: '取消',
      focusable: { autoFocusButton: 'cancel' },
      onOk: () => removing.mutateAsync({ params: { id: row.id } }).catch(() => undefined),
    });
  const stop = () =>
    modal.confirm({
      title: `停用流程“${row.name}”`,
      content: '停用后不能再发起；正在运行的工单不受影响',
      okText: '停用',
      cancelText: '取消',
      onOk: () => onSwitch(0),
    });
  return (
    <div className="kit-row">
      <Button size="small" onClick={() => void go(designOf(row.id))}>
        {may('Update') ? '设计' : '查看'}
      </Button>
      <Button size="small" onClick={onVersions}>
        版本
      </Button>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            ...(may('Create') ? [{ key: 'copy', label: '复制', onClick: onCopy }] : []),
            { key: 'export', label: '导出文件', onClick: () => void save().catch(() => undefined) },
            ...(may('Update')
              ? [
                  row.status === onOff.on
                    ? { key: 'stop', label: '停用', onClick: stop }
                    : { key: 'start', label: '启用', onClick: () => onSwitch(1) },
                ]
              : []),
            ...(may('Delete') ? [{ key: 'remove', label: '删除', danger: true, onClick: remove }] : []),
          ],
        }}
      >
        <Button size="small" type="text" aria-label={`更多操作：${row.name}`} icon={<MoreOutlined />} />
      </Dropdown>
    </div>
  );
}
