import { Alert } from 'antd';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { SearchSelect, useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import { RecordForm } from '#modules/workflow/records/widgets.tsx';
import { keyCalls, lentAlready, loanCalls, LoanInput, type Days } from '../contract.ts';
import { clashOf } from '../engine/acts.ts';

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
      beside={(values) => <Lent values={values as Chosen} />}
      onCancel={onClose}
      onDone={onClose}
    />
  );
}

type Chosen = Partial<Days> & { key_id?: number };
/** The days on which the chosen key is lent already, and a warning if the chosen ones are among them. */
function Lent({ values }: { values: Chosen }) {
  const { key_id: id } = values;
  const { data } = useCall(keyCalls.list, { query: { id, per_page: 1 } }, { enabled: id !== undefined });
  const row = data?.value.find((one) => one.id === id);
  if (!row || row.lent.length === 0) return null;
  const clash = clashOf(row.lent, values);
  return (
    <>
      {clash && (
        <Alert
          type="warning"
          showIcon
          title={`${lentAlready(`${row.number} ${row.place}`, clash)}，请改选其他日期或钥匙`}
        />
      )}
      <p className="kit-muted">
        已借出的日期：{row.lent.map((one) => `${one.start_date} 至 ${one.due_date}`).join('、')}
      </p>
    </>
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
