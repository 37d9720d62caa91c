import { Button } from 'antd';
import { useState } from 'react';
import { CallButton, WithCode } from '#kernel/web/kit/CallButton.tsx';
import { EditDrawer } from '#kernel/web/kit/form/EditDrawer.tsx';
import { optionsOf } from '#kernel/web/kit/form/options.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { documentSettings, type NumberRule } from '../../contract/settings.ts';

const statuses = { 1: '启用', 0: '停用' };
const fields: FormField[] = [
  { name: 'agency_code', label: '机关代字', placeholder: '例如：校发', help: '字号写作：校发〔2026〕1号' },
  { name: 'scope', label: '使用范围' },
  { name: 'start_no', label: '起始号', kind: 'number' },
  {
    name: 'status',
    label: '状态',
    kind: 'select',
    options: optionsOf(statuses),
  },
];

/** The agencies documents are numbered for. */
export function NumberRules() {
  const [open, setOpen] = useState<NumberRule | 'new' | null>(null);
  return (
    <>
      <ListPage
        name="document/number-rule"
        title="机关代字"
        purpose="每个代字每年从起始号连续编号，编过的号不再重用"
        call={documentSettings.rules}
        numbered
        columns={[
          { key: 'agency_code', title: '机关代字', main: true, sort: true },
          { key: 'scope', title: '使用范围' },
          { key: 'start_no', title: '起始号', number: true },
          { key: 'last_number', title: '今年最近的字号', render: (row) => row.last_number || '—' },
          { key: 'status', title: '状态', render: (row) => statuses[row.status as 0] },
        ]}
        primary={
          <WithCode code="Create">
            <Button type="primary" onClick={() => setOpen('new')}>
              新增机关代字
            </Button>
          </WithCode>
        }
        onOpen={(row) => row.actions.includes('edit') && setOpen(row)}
        rowActions={(row) => (
          <CallButton
            call={documentSettings.removeRule}
            asked={{ params: { id: row.id } }}
            allowed={row.actions.includes('delete')}
            danger
            size="small"
            confirm={{ title: `删除机关代字“${row.agency_code}”`, content: '没有编过号时才能删除' }}
          >
            删除
          </CallButton>
        )}
        empty={{ why: '还没有机关代字，发文登记编号前需要先新增' }}
      />
      <EditDrawer
        noun="机关代字"
        name="number-rule"
        open={open}
        onClose={() => setOpen(null)}
        titleOf={(row) => row.agency_code}
        add={documentSettings.addRule}
        change={documentSettings.changeRule}
        initial={{ start_no: 1, status: 1 }}
        fields={fields}
      />
    </>
  );
}
