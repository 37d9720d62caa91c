import { RedoOutlined, UndoOutlined } from '@ant-design/icons';
import { Button, Tag, Tooltip } from 'antd';
import { onOff } from '#kernel/contract/titles.ts';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import type { Design } from '../../contract/design.ts';
import type { Designer } from './state/useDesigner.ts';

interface Props {
  design: Design;
  designer: Designer;
  /** Why the design cannot be saved now; empty if it can. */
  stopped: string;
  onSimulate: () => void;
  onPublish: () => void;
}

/** Name, version and state of the workflow, and its actions. */
export function EditorHead({ design, designer, stopped, onSimulate, onPublish }: Props) {
  const { dirty } = designer;
  return (
    <header className="kit-row kit-list-head designer-head">
      <div className="kit-row">
        <h1>{design.name}</h1>
        <Tag color={design.published_version === null ? 'default' : 'success'}>
          {design.published_version === null ? '未发布' : `已发布第 ${design.published_version} 版`}
        </Tag>
        {design.status === onOff.off && <Tag>已停用</Tag>}
        <span className="kit-muted" role="status">
          {dirty ? '有未保存的改动' : design.has_draft ? '草稿已保存，尚未发布' : '没有改动'}
        </span>
      </div>
      <div className="kit-row">
        <Tooltip title="撤销（Ctrl+Z）">
          <Button aria-label="撤销" icon={<UndoOutlined />} disabled={!designer.canUndo} onClick={designer.undo} />
        </Tooltip>
        <Tooltip title="重做（Ctrl+Y）">
          <Button aria-label="重做" icon={<RedoOutlined />} disabled={!designer.canRedo} onClick={designer.redo} />
        </Tooltip>
        <Button disabled={stopped !== ''} title={stopped} onClick={onSimulate}>
          模拟
        </Button>
        <WithCode code="Update">
          <Button
            loading={designer.saving}
            disabled={!dirty || stopped !== ''}
            title={stopped || 'Ctrl+S'}
            onClick={() => void designer.save()}
          >
            保存
          </Button>
          <Button type="primary" disabled={stopped !== ''} title={stopped} onClick={onPublish}>
            发布
          </Button>
        </WithCode>
      </div>
    </header>
  );
}
