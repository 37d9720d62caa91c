import { Alert, Button, Table } from 'antd';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { saveFile } from '#kernel/web/kit/saveFile.ts';
import { SheetDialog } from '#kernel/web/kit/SheetDialog.tsx';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { paged } from '#kernel/web/kit/list/Pager.tsx';
import { FirstPassword, peopleImport } from '../../contract/users/import.ts';
import { passwordFile } from './password-file.ts';

type Imported = ReplyOf<typeof peopleImport.calls.import>;

/** Imports users from a sheet, and shows their one-time passwords once. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  return (
    <SheetDialog<Imported>
      of={peopleImport}
      refreshes={['accounts', 'oauth']}
      result={{ show: (imported) => <Passwords imported={imported} />, close: '已记下密码，关闭' }}
      onClose={onClose}
    />
  );
}

function Passwords({ imported }: { imported: Imported }) {
  return (
    <>
      <Alert type="warning" title="一次性密码只显示这一次，请复制后分发；首次登录时须修改" />
      <Table
        size="small"
        rowKey="username"
        dataSource={imported.passwords}
        pagination={paged(10)}
        columns={tableColumns(FirstPassword, {
          alias: {},
          username: {},
          password: { render: (row) => <CopyText text={row.password} /> },
        })}
      />
      <Button onClick={() => saveFile(passwordFile(imported.passwords), '一次性密码.csv')}>下载密码清单</Button>
    </>
  );
}
