import { App, Button } from 'antd';
import { useState } from 'react';
import { yearOf } from '#kernel/contract/moment.ts';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { useCall } from '#kernel/web/calls.ts';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { NumberBook } from '#modules/workflow/records/widgets.tsx';
import { bookState, documentSettings, numberRules } from '../../contract/settings.ts';

type Booked = ReplyOf<typeof documentSettings.book>['value'][number];

/** Every number that was given, including void ones. */
export function DocumentNumbers() {
  const { message } = App.useApp();
  const [open, setOpen] = useState<Booked | null>(null);
  const [adding, setAdding] = useState(false);
  const rules = useCall(numberRules.list, { query: { per_page: 100 } });
  return (
    <>
      <NumberBook
        name="document/number-book"
        title="字号簿"
        call={documentSettings.book}
        states={bookState.names}
        primary={
          <WithCode code="Create">
            <Button type="primary" onClick={() => setAdding(true)}>
              预留或补登
            </Button>
          </WithCode>
        }
        filters={[
          {
            key: 'rule_id',
            kind: 'select',
            often: true,
            options: rules.data?.value.map((one) => ({ value: String(one.id), label: one.agency_code })) ?? [],
          },
        ]}
        columns={listColumns(rowOf(documentSettings.book), {
          number: { main: true },
          state_name: {},
          document_title: {},
          made_by: { render: (row) => row.voided_by || row.made_by || '—' },
        })}
        rowActions={(row) =>
          row.state < bookState.voided && (
            <WithCode code="Update">
              <Button size="small" danger onClick={() => setOpen(row)}>
                作废
              </Button>
            </WithCode>
          )
        }
      />
      {adding && (
        <FormDrawer
          open
          onClose={() => setAdding(false)}
          title="预留或补登字号"
          name="number-book:new"
          call={documentSettings.reserve}
          initial={{ year: yearOf(new Date()) }}
          submit="登记字号"
          fields={[
            {
              name: 'rule_id',
              kind: 'select',
              options: rules.data?.value.map((one) => ({ value: one.id, label: one.agency_code })) ?? [],
            },
            { name: 'year', kind: 'number' },
            { name: 'seq', kind: 'number', help: '不填则取下一个号；补登漏编的号时填写' },
            { name: 'title', help: '已在系统外印发的文件补登时填写；不填则为以后的公文预留' },
            { name: 'reason' },
          ]}
          onDone={({ number }) => {
            setAdding(false);
            void message.success(`${number} 已登记`);
          }}
        />
      )}
      {open && (
        <FormDrawer
          open
          onClose={() => setOpen(null)}
          title={`作废 ${open.number}`}
          name={`number-book:${open.id}`}
          call={documentSettings.voidNumber}
          also={{ rule_id: open.rule_id, year: open.year, seq: open.seq }}
          submit="作废字号"
          fields={[{ name: 'reason', help: '作废的号不再重用' }]}
          onDone={() => void message.success('已作废')}
        />
      )}
    </>
  );
}
