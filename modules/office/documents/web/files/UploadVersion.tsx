import { App } from 'antd';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { FilesField } from '#modules/platform/files/widgets.tsx';
import { documentFiles, type DocumentFile } from '../../contract/files/files.ts';

/** Uploads a file as the next version; if somebody else saved meanwhile, names them instead. */
export function UploadVersion({ file, onClose }: { file: DocumentFile; onClose: () => void }) {
  const { message } = App.useApp();
  return (
    <FormDrawer
      open
      title={`上传“${file.name}”的新版本`}
      name={`document-file:${file.id}`}
      call={documentFiles.addVersion}
      also={{ id: file.id, version_no: file.version_no }}
      submit="保存为新版本"
      invalidates={['document']}
      fields={[
        {
          name: 'file',
          help: `须为 ${file.file.ext} 文件，保存为第 ${file.version_no + 1} 版，旧版仍可下载`,
          render: (control) => (
            <FilesField control={control} label="文件" module="documents" accept={`.${file.file.ext}`} one />
          ),
        },
        { name: 'reason' },
      ]}
      onClose={onClose}
      onDone={({ value }) => void message.success(`已保存为第 ${value.version_no} 版`)}
    />
  );
}
