import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { SearchSelect, useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import { RecordForm } from '#modules/workflow/records/widgets.tsx';
import { keyCalls, loanCalls, LoanInput } from '../contract.ts';

/** The form of a new loan, or of one that was returned to its author. */
export function LoanForm({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, refetch } = useCall(loanCalls.get, { params: { id } }, { enabled: id > 0 });
  const before = data?.value;
  const today = dayOf(new Date());
  const { key_id, start_date, due_date, reason } = before ?? {};
  return (
    <RecordForm
      title={before ? '修改后重新提交' : '申请借用钥匙'}
      name={`key/loan:${id || 'new'}`}
      coming={id > 0 && !before}
      error={error}
      retry={() => void refetch()}
      call={(id > 0 ? loanCalls.again : loanCalls.create) as typeof loanCalls.create}
      {...(id > 0 ? { params: { id } } : {})}
      initial={before ? { key_id, start_date, due_date, reason } : { start_date: today, due_date: dayAfter(today, 1) }}
      also={before ? { version: before.version, submit: true } : { submit: true }}
      submit="提交申请"
      other={{ label: '保存草稿', also: { submit: false } }}
      fields={fieldsOf(LoanInput.shape, {
        key_id: { render: (control) => <KeyPicker control={control} known={before?.title} /> },
        due_date: { notBefore: 'start_date' },
      })}
      onCancel={onClose}
      onDone={onClose}
    />
  );
}

/** Picks one of the keys by its number or room; `known` names the one that is chosen already. */
function KeyPicker({ control, known }: { control: FieldControl; known: string | undefined }) {
  const searching = useSearching();
  const { data, isFetching } = useCall(keyCalls.list, {
    query: { search_value: searching.search, per_page: 20 },
  });
  const rows = data?.value.map((row) => ({ value: row.id, label: `${row.number} ${row.place}` })) ?? [];
  const chosen = known !== undefined && !rows.some(({ value }) => value === control.value);
  return (
    <SearchSelect
      {...(control as object)}
      searching={searching}
      loading={isFetching}
      placeholder="输入编号或房间"
      hint="可换编号或房间再试"
      options={chosen ? [{ value: control.value as number, label: known }, ...rows] : rows}
    />
  );
}
