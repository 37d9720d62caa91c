import { App, Alert, Button, Drawer, Empty, Spin, Tag } from 'antd';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { documents } from '../../contract.ts';
import { documentLayout, type Finding } from '../../contract/layout.ts';
import type { DocumentDetail } from '../../contract/shapes.ts';

/** The layout faults of a document, each with a button for an automatic fix where possible. */
export function LayoutCheck({ doc, onClose }: { doc: DocumentDetail; onClose: () => void }) {
  const narrow = useNarrow();
  const { message } = App.useApp();
  const { data, error, refetch, isFetching } = useCall(documentLayout.check, { params: { id: doc.id } });
  const mending = useSend(documents.update, {
    invalidates: ['document'],
    onSuccess: () => {
      void message.success('已修改');
      void refetch();
    },
  });
  const mend = (fixes: Record<string, unknown>) =>
    mending.mutate({ params: { id: doc.id }, body: { ...fixes, version: data?.version } });
  const mendField = (field: string) => mend({ [field]: data?.fixes[field] });
  const busy = mending.isPending || isFetching;
  const count = (severity: Finding['severity']) => data?.value.filter((one) => one.severity === severity).length ?? 0;
  const all = Object.keys(data?.fixes ?? {}).length > 0;
  return (
    <Drawer
      title="格式检查"
      open
      onClose={onClose}
      size={narrow ? '100%' : 560}
      extra={
        all && (
          <Button type="primary" disabled={busy} onClick={() => mend(data?.fixes ?? {})}>
            全部修改
          </Button>
        )
      }
    >
      {error && !data && <FailedState error={error} retry={() => void refetch()} />}
      {!error && !data && <Spin />}
      {data?.value.length === 0 && <Empty description="没有发现格式问题" />}
      {data && data.value.length > 0 && (
        <div className="kit-stack">
          <Alert
            type={count('error') > 0 ? 'error' : 'warning'}
            title={`${count('error')} 处错误，${count('warning')} 处提醒${data.blocks ? '；有错误时不能提交和签发' : ''}`}
          />
          <ul className="document-findings" aria-label="检查结果">
            {data.value.map((one, index) => (
              <FindingLine
                key={`${one.code}:${index}`}
                finding={one}
                // One button per field, because the sent value fixes all of its findings.
                mend={one.mendable && firstOf(data.value, one.field) === index ? () => mendField(one.field) : undefined}
                several={data.value.filter(({ mendable, field }) => mendable && field === one.field).length > 1}
                busy={busy}
              />
            ))}
          </ul>
        </div>
      )}
    </Drawer>
  );
}

const firstOf = (findings: readonly Finding[], field: string) =>
  findings.findIndex((one) => one.mendable && one.field === field);

function FindingLine({
  finding: { severity, place, msg },
  mend,
  several,
  busy,
}: {
  finding: Finding;
  mend: (() => void) | undefined;
  /** True if other findings of the same field are fixed with it. */
  several: boolean;
  busy: boolean;
}) {
  return (
    <li>
      <div>
        <Tag color={severity === 'error' ? 'error' : 'warning'}>{severity === 'error' ? '错误' : '提醒'}</Tag>
        <strong>{place}</strong>
        <p>{msg}</p>
      </div>
      {mend && (
        <Button size="small" disabled={busy} onClick={mend}>
          {several ? '一并修改' : '一键修改'}
        </Button>
      )}
    </li>
  );
}
