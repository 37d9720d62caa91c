import { EditOutlined, EyeOutlined, HistoryOutlined, LockOutlined, UploadOutlined } from '@ant-design/icons';
import { Button, Tag } from 'antd';
import { Suspense, useState } from 'react';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { later } from '#kernel/web/later.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { documentFiles, type DocumentFile, type FileVersion } from '../../contract/files/files.ts';
import { UploadVersion } from './UploadVersion.tsx';

const Editor = later(() => import('./Editor.tsx'));

/** A file with its versions. `online`: an editor is set up. */
export function FileRow({ file, online }: { file: DocumentFile; online: boolean }) {
  const [history, setHistory] = useState(false);
  const [uploading, setUploading] = useState(false);
  const [editor, setEditor] = useState<'edit' | 'view' | null>(null);
  const may = (code: string) => file.actions.includes(code);
  const { lock, versions } = file;
  const earlier = versions.filter((version) => version.version_no !== file.version_no);
  return (
    <li>
      <div className="kit-row">
        <Tag>{file.removed_at ? '已移除' : file.kind === 'body' ? '正文' : '附件'}</Tag>
        <FileLinks files={[file.file]} />
      </div>
      {versions[0] && <VersionNote version={versions[0]} />}
      {lock && (
        <p className="document-file-lock">
          <LockOutlined /> {lock.mine ? '本人' : lock.by_info.alias}正在在线编辑，锁定至 {lock.until.slice(0, 16)}{' '}
          {may('upload') && (
            <CallButton
              call={documentFiles.release}
              asked={{ params: { id: file.id } }}
              size="small"
              code={null}
              invalidates={['document']}
              confirm={{ title: '结束在线编辑？', content: '还开着的编辑窗口里没有保存的内容，结束后不能再保存。' }}
            >
              结束编辑
            </CallButton>
          )}
        </p>
      )}
      <div className="kit-row">
        {online && may('edit') && (
          <Button icon={<EditOutlined />} onClick={() => setEditor('edit')}>
            在线编辑
          </Button>
        )}
        {online && may('open') && (
          <Button icon={<EyeOutlined />} onClick={() => setEditor('view')}>
            在线查看
          </Button>
        )}
        {may('upload') && (
          <Button icon={<UploadOutlined />} disabled={lock !== null} onClick={() => setUploading(true)}>
            上传新版本
          </Button>
        )}
        {earlier.length > 0 && (
          <Button
            type="text"
            icon={<HistoryOutlined />}
            aria-expanded={history}
            onClick={() => setHistory((shown) => !shown)}
          >
            {history ? '收起历史版本' : `历史版本（${earlier.length}）`}
          </Button>
        )}
      </div>
      {history && (
        <ol className="document-versions" aria-label={`${file.name}的历史版本`}>
          {earlier.map((version) => (
            <li key={version.version_no}>
              <FileLinks files={[version.file]} />
              <VersionNote version={version} />
              {may('upload') && lock === null && version.file.id !== file.file.id && (
                <CallButton
                  call={documentFiles.restoreVersion}
                  asked={{
                    params: { id: file.id },
                    body: { restored_no: version.version_no, version_no: file.version_no },
                  }}
                  size="small"
                  code={null}
                  invalidates={['document']}
                  confirm={{
                    title: `恢复第 ${version.version_no} 版？`,
                    content: `它将成为第 ${file.version_no + 1} 版，现在的第 ${file.version_no} 版仍可下载和恢复。`,
                  }}
                >
                  恢复此版本
                </CallButton>
              )}
            </li>
          ))}
        </ol>
      )}
      {uploading && <UploadVersion file={file} onClose={() => setUploading(false)} />}
      {editor && (
        <Suspense fallback={null}>
          <Editor file={file} view={editor === 'view'} onClose={() => setEditor(null)} />
        </Suspense>
      )}
    </li>
  );
}

function VersionNote({ version }: { version: FileVersion }) {
  const { version_no, editor_info, gmt_created, reason } = version;
  const words = [`第 ${version_no} 版`, editor_info.alias, gmt_created.slice(0, 16), reason];
  return <p className="kit-muted">{words.filter(Boolean).join(' · ')}</p>;
}
