import { Alert, Input, Modal, Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { counted } from '#kernel/web/kit/form/parts/counted.ts';
import { designCalls, type Design } from '../../../contract/design.ts';
import { releaseCalls } from '../../../contract/release.ts';
import type { Problem } from '../../../contract/shapes.ts';
import type { Names } from '../../names.ts';
import { differences } from '../../versions/differences.ts';
import { DifferenceList } from '../../versions/DifferenceList.tsx';
import { ProblemList } from './ProblemList.tsx';
import { WarningList } from '../WarningList.tsx';
import type { Designer } from '../state/useDesigner.ts';

interface Props {
  design: Design;
  designer: Designer;
  names: Names;
  onGo: (problem: Problem) => void;
  onClose: () => void;
  onPublished: (no: number) => void;
}

/** The last step before publishing: the server's remaining objections, the differences for people, and a note. */
export function PublishDialog({ design, designer, names, onGo, onClose, onPublished }: Props) {
  const [note, setNote] = useState('');
  const params = { id: design.id };
  const checking = useSend(releaseCalls.publish, { invalidates: [] });
  const publishing = useSend(releaseCalls.publish, {
    onSuccess: (reply) => {
      designer.noteVersion(reply.version);
      onPublished(reply.no);
    },
  });
  const published = useCall(
    releaseCalls.versions,
    { params, query: { no: design.published_version ?? 1 } },
    { enabled: design.published_version !== null },
  );
  const { mutate: check } = checking;
  const { version } = designer;
  useEffect(() => check({ params: { id: design.id }, body: { dry_run: true, version } }), [check, design.id, version]);
  const problems = checking.data?.problems;
  const warnings = checking.data?.warnings ?? [];
  const before = published.data?.value[0]?.definition;
  const changes = before && differences(before, designer.draft, names);
  const ready = problems?.length === 0;
  return (
    <Modal
      open
      title={checking.data ? `发布为第 ${checking.data.no} 版` : '发布'}
      width={640}
      okText="发布"
      cancelText="取消"
      okButtonProps={{ disabled: !ready, loading: publishing.isPending }}
      onOk={() => publishing.mutate({ params, body: { dry_run: false, note, version } })}
      onCancel={onClose}
    >
      {!problems && !checking.isError && <Skeleton active paragraph={{ rows: 4 }} />}
      {checking.isError && <Alert type="error" title={checking.error.msg} />}
      {problems && problems.length > 0 && <ProblemList problems={problems} onGo={onGo} />}
      {ready && (
        <div className="kit-stack">
          {warnings.length > 0 && <WarningList warnings={warnings} onGo={onGo} />}
          <p className="kit-muted">
            {design.published_version === null
              ? design.module_name
                ? `发布后，就可以在“${design.module_name}”的分类里选用`
                : '发布后，范围内的人员就可以发起'
              : `之后发起的工单使用新版本；正在运行的 ${design.running} 张工单仍按原版本办理，可在“版本”中迁移`}
          </p>
          <label htmlFor="publish-note">版本说明</label>
          <Input.TextArea
            id="publish-note"
            {...counted(200)}
            showCount
            autoSize={{ minRows: 2, maxRows: 5 }}
            placeholder="改了什么，给以后的管理员看"
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          {changes && <DifferenceList changes={changes} />}
        </div>
      )}
    </Modal>
  );
}

/** The design as it is on the server now. */
export function useDesign(id: number) {
  return useCall(designCalls.get, { params: { id } });
}
