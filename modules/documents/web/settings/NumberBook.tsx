import { App, Button } from 'antd';
import { useState } from 'react';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { useCall } from '#kernel/web/calls.ts';
import { WithCode } from '#kernel/web/kit/CallButton.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { NumberBook } from '#modules/records/widgets.tsx';
import { documentSettings, numberRules } from '../../contract/settings.ts';

type Booked = ReplyOf<typeof documentSettings.book>['value'][number];

/** Every number that was given, and which are void. */
export function DocumentNumbers() {
  const { message } = App.useApp();
  const [open, setOpen] = useState<Booked | null>(null);
  const rules = useCall(numberRules.list, { query: { per_page: 100 } });
  return (
    <>
      <NumberBook
        name="document/number-book"
        title="字号簿"
        call={documentSettings.book}
        reason="作废理由"
        filters={[
          {
            key: 'rule_id',
            label: '机关代字',
            kind: 'select',
            often: true,
            options: rules.data?.value.map((one) => ({ value: String(one.id), label: one.agency_code })) ?? [],
          },
        ]}
        columns={[
          { key: 'number', title: '字号', main: true },
          { key: 'state_name', title: '状态' },
          { key: 'document_title', title: '公文', render: (row) => row.document_title || '—' },
          { key: 'voided_by', title: '作废人', render: (row) => row.voided_by || '—' },
        ]}
        rowActions={(row) =>
          row.state === 1 && (
            <WithCode code="Update">
              <Button size="small" danger onClick={() => setOpen(row)}>
                作废
              </Button>
            </WithCode>
          )
        }
      />
      {open && (
        <FormDrawer
          open
          onClose={() => setOpen(null)}
          title={`作废 ${open.number}`}
          name={`number-book:${open.id}`}
          call={documentSettings.voidNumber}
          also={{ rule_id: open.rule_id, year: open.year, seq: open.seq }}
          submit="作废字号"
          fields={[{ name: 'reason', label: '理由', help: '作废的号不再重用' }]}
          onDone={() => void message.success('已作废')}
        />
      )}
    </>
  );
}
