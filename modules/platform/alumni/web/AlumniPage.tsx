import { Button, Statistic, Tag } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton, WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { alumni, type Alumnus } from '../contract.ts';
import { AddAlumnus, ChangeAlumnus } from './AlumnusForm.tsx';
import { alumniFilters, optionsOf } from './filters.ts';
import { ImportDialog } from './ImportDialog.tsx';
import './alumni.css';

const erasing =
  '资料立即删除，不能恢复，也从短信的接收人分组中移除；发给本人的短信只留下发送时间、发送人和条数，不再有姓名、号码和内容，没有发出的不再发出。';

const names = [...alumniFilters.map(({ key }) => key), 'search_value'];

/** Alumni: counts, list, and whether they may be written to. Numbers are never shown. */
export default function AlumniPage() {
  const [adding, setAdding] = useState(false);
  const [importing, setImporting] = useState(false);
  const [edited, setEdited] = useState<Alumnus | null>(null);
  const [address] = useSearchParams();
  const may = usePermission();
  const chosen = Object.fromEntries(names.flatMap((name) => (address.get(name) ? [[name, address.get(name)]] : [])));
  const { data: all } = useCall(alumni.count, {});
  const { data: counted } = useCall(alumni.count, { query: chosen });
  return (
    <div className="kit-stack">
      <div className="kit-panel kit-row alumni-counts" role="status" aria-label="校友人数">
        <Statistic title="校友" value={counted?.total ?? 0} suffix="人" />
        <Statistic title="有手机号" value={counted?.with_mobile ?? 0} suffix="人" />
        <Statistic title="可发短信" value={counted?.consented ?? 0} suffix="人" />
      </div>
      <ListPage<Alumnus>
        card={['college', 'graduate_year', 'mobile_masked']}
        name="alumnus/list"
        title="校友"
        purpose="由表格导入，个别的可以新增、编辑、删除；只有同意且未退订的校友可以收到短信"
        call={alumni.choose}
        columns={listColumns(rowOf(alumni.choose), {
          name: { main: true, sort: true },
          student_no: {},
          gender: { hidden: true },
          college: { sort: true },
          major: {},
          enter_year: { hidden: true },
          graduate_year: { sort: true },
          class_name: { hidden: true },
          degree: { hidden: true },
          city: {},
          company: { hidden: true },
          post: { hidden: true },
          email: { hidden: true },
          mobile_masked: {},
          consent_at: {},
          consent_from: { hidden: true },
          can_sms: { render: (row) => <MayText row={row} /> },
          remark: { hidden: true },
        })}
        filters={[
          ...alumniFilters.map(({ key, group, often }) => ({
            key,
            kind: 'select' as const,
            often,
            options: optionsOf(all, group),
          })),
          ...(may('daochu') ? [{ key: 'reason', kind: 'text' as const, often: true }] : []),
        ]}
        primary={
          <WithCode code="Create">
            <Button onClick={() => setImporting(true)}>导入校友</Button>
            <Button type="primary" onClick={() => setAdding(true)}>
              新增校友
            </Button>
          </WithCode>
        }
        onOpen={(row) => row.actions.includes('update') && setEdited(row)}
        actionsWidth={130}
        rowActions={(row) => (
          <div className="kit-row">
            {row.actions.includes('update') && (
              <Button size="small" onClick={() => setEdited(row)}>
                编辑
              </Button>
            )}
            <CallButton
              call={alumni.erase}
              asked={{ params: { id: row.id } }}
              allowed={row.actions.includes('delete')}
              danger
              size="small"
              confirm={{ title: `删除校友“${row.name}”`, content: erasing }}
            >
              删除
            </CallButton>
          </div>
        )}
        empty={{ why: '还没有校友，可以逐个新增，或下载模板填写后导入' }}
      />
      {adding && <AddAlumnus onClose={() => setAdding(false)} />}
      {edited && <ChangeAlumnus row={edited} onClose={() => setEdited(null)} />}
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </div>
  );
}

function MayText({ row }: { row: Alumnus }) {
  if (row.can_sms) return <Tag color="success">可发</Tag>;
  return <Tag>{row.opt_out ? '已退订' : row.mobile_masked ? '未同意' : '无号码'}</Tag>;
}
