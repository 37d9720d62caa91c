import { yearOf } from '#kernel/contract/moment.ts';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { useCall } from '#kernel/web/calls.ts';
import { act, useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { NumberBook } from '#modules/workflow/records/widgets.tsx';
import { bookState, documentSettings, numberRules } from '../../contract/settings.ts';

type Booked = ReplyOf<typeof documentSettings.book>['value'][number];
const draftOf = (_key: string, { id }: { id: number | string }) => `number-book:${id}`;
const acts: Acts<Booked> = {
  void: {
    label: '作废',
    title: (row) => `作废 ${row.number}`,
    call: documentSettings.voidNumber,
    offered: (row) => row.state < bookState.voided,
    danger: true,
    also: ({ rule_id, year, seq }) => ({ rule_id, year, seq }),
    fields: [{ name: 'reason', help: '作废的号不再重用' }],
    submit: '作废字号',
    done: '已作废',
  },
};

/** Every number that was given, including void ones. */
export function DocumentNumbers() {
  const rules = useCall(numberRules.list, { query: { per_page: 100 } });
  const { buttons, drawer } = useActs(draftOf, acts);
  const adding = useActs(draftOf, {
    reserve: act({
      label: '预留或补登',
      title: '预留或补登字号',
      call: documentSettings.reserve,
      offered: () => true,
      look: { type: 'primary' },
      initial: { year: yearOf(new Date()) },
      fields: [
        {
          name: 'rule_id',
          kind: 'select',
          options: rules.data?.value.map((one) => ({ value: one.id, label: one.agency_code })) ?? [],
        },
        { name: 'year', kind: 'number' },
        { name: 'seq', kind: 'number', help: '不填则取下一个号；补登漏编的号时填写' },
        { name: 'title', help: '已在系统外印发的文件补登时填写；不填则为以后的公文预留' },
        { name: 'reason' },
      ],
      submit: '登记字号',
      done: ({ number }) => `${number} 已登记`,
    }),
  });
  return (
    <>
      <NumberBook
        name="document/number-book"
        title="字号簿"
        call={documentSettings.book}
        states={bookState.names}
        primary={adding.buttons({ id: 'new' }, [])}
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
        rowActions={(row) => buttons(row, [], { size: 'small' })}
      />
      {adding.drawer}
      {drawer}
    </>
  );
}
