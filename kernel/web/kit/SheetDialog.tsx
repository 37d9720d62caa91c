import { useQueryClient } from '@tanstack/react-query';
import { Alert, App, Button, Modal, Progress, Table } from 'antd';
import { paged } from './list/Pager.tsx';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { Call } from '#kernel/contract/call.ts';
import type { RowError } from '#kernel/contract/sheet/sheet.ts';
import { download, newAttempt, upload } from '../client.ts';
import { saveFile } from './saveFile.ts';

/** The reply of a call that imports a sheet. */
export interface SheetReply {
  total: number;
  valid: number;
  imported: number;
  errors: RowError[];
  /** Titles of columns in the sheet that are ignored. */
  ignored: string[];
}
interface Props<Reply extends SheetReply> {
  /** A `sheetImport`. */
  of: {
    what: string;
    unit: string;
    maxRows: number;
    calls: Record<'import' | 'importErrors' | 'importTemplate', Call>;
  };
  hint?: string;
  /** Modules whose queries are repeated afterwards. */
  refreshes: readonly string[];
  says?: (checked: Reply) => string;
  /** Content that must be seen before the dialog is closed, and the label of the closing button. */
  result?: { show: (checked: Reply) => ReactNode; close: string };
  onClose: () => void;
}

/** Imports the lines of a sheet: template, a check that names each wrong cell, then all lines or none. */
export function SheetDialog<Reply extends SheetReply>(props: Props<Reply>) {
  const { hint, result, onClose } = props;
  const { what, unit, maxRows, calls } = props.of;
  const { message } = App.useApp();
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const attempt = useRef('');
  const [file, setFile] = useState<File | null>(null);
  const [checked, setChecked] = useState<Reply | null>(null);
  const [share, setShare] = useState<number | null | undefined>(undefined);
  const busy = share !== undefined;
  const send = async (chosen: File, dry_run: boolean) => {
    setShare(null);
    try {
      // Sent again after no answer came, a sheet is still imported only once.
      const how = { onProgress: setShare, timeout: 120_000, ...(dry_run ? {} : { attempt: attempt.current }) };
      const reply = (await upload(calls.import, { query: { dry_run } }, chosen, how)) as Reply;
      setChecked(reply);
      if (dry_run) return;
      void message.success(props.says?.(reply) ?? `已导入 ${reply.imported} ${unit}`);
      for (const module of props.refreshes) void client.invalidateQueries({ queryKey: [module] });
      if (!result) onClose();
    } catch {
      // The client has already shown the failure.
    } finally {
      setShare(undefined);
    }
  };
  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    attempt.current = newAttempt();
    setFile(chosen);
    setChecked(null);
    void send(chosen, true);
  };
  const fetchTemplate = async () => {
    const got = await download(calls.importTemplate, {}).catch(() => null);
    if (got) saveFile(got.blob, got.name || `${what}导入模板.xlsx`);
  };
  const fetchWrong = async () => {
    if (!file) return;
    const got = await download(calls.importErrors, {}, { file, timeout: 120_000 }).catch(() => null);
    if (got) saveFile(got.blob, got.name || `${what}导入错误行.xlsx`);
  };
  const imported = checked !== null && checked.imported > 0;
  const ready = checked !== null && checked.errors.length === 0 && !imported;
  return (
    <Modal
      open
      width={720}
      title={`导入${what}`}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        imported ? (
          <Button type="primary" onClick={onClose}>
            {result?.close ?? '关闭'}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>取消</Button>
            <Button
              type="primary"
              disabled={!ready || !file}
              loading={busy}
              onClick={() => file && void send(file, false)}
            >
              {ready ? `导入 ${checked.total} ${unit}` : `导入${what}`}
            </Button>
          </>
        )
      }
    >
      <div className="kit-stack">
        <div className="kit-row">
          <Button onClick={() => void fetchTemplate()}>下载模板</Button>
          <Button onClick={() => input.current?.click()} disabled={busy || imported}>
            {file ? '重新选择文件' : '选择文件'}
          </Button>
          <span className="kit-muted">{file ? file.name : `.xlsx 文件，一次最多 ${maxRows} ${unit}`}</span>
          <input
            ref={input}
            type="file"
            accept=".xlsx"
            hidden
            aria-label="导入文件"
            onChange={(event) => {
              choose(event.target.files?.[0]);
              event.target.value = '';
            }}
          />
        </div>
        {hint && <p className="kit-muted">{hint}</p>}
        {busy && <Progress percent={Math.round((share ?? 0) * 100)} status="active" aria-label="上传进度" />}
        {checked && !imported && checked.ignored.length > 0 && (
          <Alert type="warning" title={`没有对应的列，不会导入：${checked.ignored.join('、')}`} />
        )}
        {ready && <Alert type="success" title={`检查通过，共 ${checked.total} ${unit}，尚未导入`} />}
        {checked && checked.errors.length > 0 && <Wrong checked={checked} onFetch={() => void fetchWrong()} />}
        {imported && result?.show(checked)}
      </div>
    </Modal>
  );
}

function Wrong({ checked, onFetch }: { checked: SheetReply; onFetch: () => void }) {
  return (
    <>
      <Alert
        type="error"
        title={`共 ${checked.total} 行，${checked.valid} 行可以导入，${checked.errors.length} 处错误；全部改正后才能导入`}
        action={<Button onClick={onFetch}>下载错误行</Button>}
      />
      <Table
        size="small"
        rowKey={(error) => `${error.row}-${error.field}-${error.msg}`}
        dataSource={checked.errors}
        pagination={paged(10)}
        columns={[
          { key: 'row', dataIndex: 'row', title: '行', align: 'right', width: 64, className: 'kit-figures' },
          { key: 'field', dataIndex: 'field', title: '列', width: 110 },
          { key: 'msg', dataIndex: 'msg', title: '问题' },
        ]}
      />
    </>
  );
}
