import { useQueryClient } from '@tanstack/react-query';
import { Alert, App, Button, Modal, Progress, Table } from 'antd';
import { useRef, useState } from 'react';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { download, upload } from '#kernel/web/client.ts';
import { CopyText } from '#kernel/web/kit/CopyText.tsx';
import { saveFile } from '#kernel/web/kit/saveFile.ts';
import { maxImportRows, peopleImport } from '../contract/import.ts';

type Told = ReplyOf<typeof peopleImport.importUsers>;

/** Imports users from a sheet: template, a check that names each wrong cell, then all or nothing. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { message } = App.useApp();
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [told, setTold] = useState<Told | null>(null);
  const [busy, setBusy] = useState<number | null | undefined>(undefined);
  const send = async (chosen: File, dry_run: boolean) => {
    setBusy(null);
    try {
      const reply = await upload(peopleImport.importUsers, { query: { dry_run } }, chosen, {
        onProgress: setBusy,
        timeout: 120_000,
      });
      setTold(reply);
      if (reply.imported > 0) {
        void message.success(`已导入 ${reply.imported} 人`);
        for (const module of ['accounts', 'oauth']) void client.invalidateQueries({ queryKey: [module] });
      }
    } catch {
      // Shown by the client already.
    } finally {
      setBusy(undefined);
    }
  };
  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    setFile(chosen);
    setTold(null);
    void send(chosen, true);
  };
  const template = async () => {
    const got = await download(peopleImport.importTemplate, {}).catch(() => null);
    if (got) saveFile(got.blob, got.name || '用户导入模板.xlsx');
  };
  const imported = told !== null && told.imported > 0;
  const ready = told !== null && told.errors.length === 0 && !imported;
  return (
    <Modal
      open
      width={720}
      title="导入用户"
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        imported ? (
          <Button type="primary" onClick={onClose}>
            已记下密码，关闭
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>取消</Button>
            <Button
              type="primary"
              disabled={!ready || !file}
              loading={busy !== undefined}
              onClick={() => file && void send(file, false)}
            >
              {ready ? `导入 ${told.total} 人` : '导入用户'}
            </Button>
          </>
        )
      }
    >
      <div className="kit-stack">
        <div className="kit-row">
          <Button onClick={() => void template()}>下载模板</Button>
          <Button onClick={() => input.current?.click()} disabled={busy !== undefined || imported}>
            {file ? '重新选择文件' : '选择文件'}
          </Button>
          <span className="kit-muted">{file ? file.name : `.xlsx 文件，一次最多 ${maxImportRows} 人`}</span>
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
        {busy !== undefined && <Progress percent={Math.round((busy ?? 0) * 100)} status="active" />}
        {ready && <Alert type="success" title={`检查通过，共 ${told.total} 人，尚未导入`} />}
        {told && told.errors.length > 0 && (
          <>
            <Alert
              type="error"
              title={`共 ${told.total} 行，${told.valid} 行可以导入，${told.errors.length} 处错误；全部改正后才能导入`}
            />
            <Table
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
        )}
        {imported && (
          <>
            <Alert type="warning" title="一次性密码只显示这一次，请复制后分发；首次登录时须修改" />
            <Table
              size="small"
              rowKey="username"
              dataSource={told.passwords}
              pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
              columns={[
                { key: 'alias', dataIndex: 'alias', title: '姓名' },
                { key: 'username', dataIndex: 'username', title: '用户名' },
                {
                  key: 'password',
                  dataIndex: 'password',
                  title: '一次性密码',
                  render: (password: string) => <CopyText text={password} />,
                },
              ]}
            />
            <Button onClick={() => saveFile(passwordFile(told), '一次性密码.csv')}>下载密码清单</Button>
          </>
        )}
      </div>
    </Modal>
  );
}

/** The byte-order mark makes sheet programs read it as UTF-8. */
function passwordFile({ passwords }: Told): Blob {
  // A formula's beginning is disarmed; a one-time password never begins with one.
  const cell = (text: string) => `"${(/^[=+\-@]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  const lines = passwords.map((one) => [one.alias, one.username, one.password].map(cell).join(','));
  return new Blob([`\uFEFF${['姓名,用户名,一次性密码', ...lines].join('\r\n')}`], { type: 'text/csv' });
}
