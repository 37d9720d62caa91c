import { useQueryClient } from '@tanstack/react-query';
import { Alert, App, Button, Modal, Progress, Table } from 'antd';
import { useRef, useState } from 'react';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { download, upload } from '#kernel/web/client.ts';
import { saveFile } from '#kernel/web/kit/saveFile.ts';
import { alumni, maxAlumniRows, type AlumnusRowError } from '../contract.ts';

type Told = ReplyOf<typeof alumni.import>;

/** Brings alumni in by a sheet: template, a check that names each wrong cell, then all or nothing. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { message } = App.useApp();
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [told, setTold] = useState<Told | null>(null);
  const [share, setShare] = useState<number | null | undefined>(undefined);
  const busy = share !== undefined;
  const send = async (chosen: File, dry_run: boolean) => {
    setShare(null);
    try {
      const reply = await upload(alumni.import, { query: { dry_run } }, chosen, {
        onProgress: setShare,
        timeout: 120_000,
      });
      setTold(reply);
      if (dry_run) return;
      void message.success(`已导入 ${reply.imported} 人，其中更新 ${reply.updated} 人`);
      void client.invalidateQueries({ queryKey: ['alumnus'] });
      onClose();
    } catch {
      // Shown by the client already.
    } finally {
      setShare(undefined);
    }
  };
  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    setFile(chosen);
    setTold(null);
    void send(chosen, true);
  };
  const template = async () => {
    const got = await download(alumni.importTemplate, {}).catch(() => null);
    if (got) saveFile(got.blob, got.name || '校友导入模板.xlsx');
  };
  const ready = told !== null && told.errors.length === 0;
  return (
    <Modal
      open
      width={720}
      title="导入校友"
      onCancel={onClose}
      mask={{ closable: false }}
      cancelText="取消"
      okText={ready ? `导入 ${told.total} 人` : '导入校友'}
      okButtonProps={{ disabled: !ready || !file, loading: busy }}
      onOk={() => file && void send(file, false)}
    >
      <div className="kit-stack">
        <div className="kit-row">
          <Button onClick={() => void template()}>下载模板</Button>
          <Button onClick={() => input.current?.click()} disabled={busy}>
            {file ? '重新选择文件' : '选择文件'}
          </Button>
          <span className="kit-muted">{file ? file.name : `.xlsx 文件，一次最多 ${maxAlumniRows} 人`}</span>
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
        <p className="kit-muted">学号已有的更新资料；已退订的不会被改回。填写“同意短信”须注明日期和来源。</p>
        {busy && <Progress percent={Math.round((share ?? 0) * 100)} status="active" />}
        {ready && <Alert type="success" title={`检查通过，共 ${told.total} 人，尚未导入`} />}
        {told && told.errors.length > 0 && <Wrong told={told} />}
      </div>
    </Modal>
  );
}

function Wrong({ told }: { told: Told }) {
  return (
    <>
      <Alert
        type="error"
        title={`共 ${told.total} 行，${told.valid} 行可以导入，${told.errors.length} 处错误；全部改正后才能导入`}
      />
      <Table<AlumnusRowError>
        size="small"
        rowKey={(error) => `${error.row}-${error.field}-${error.msg}`}
        dataSource={told.errors}
        pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
        columns={[
          { key: 'row', dataIndex: 'row', title: '行', align: 'right', width: 64, className: 'kit-figures' },
          { key: 'field', dataIndex: 'field', title: '列', width: 110 },
          { key: 'msg', dataIndex: 'msg', title: '问题' },
        ]}
      />
    </>
  );
}
