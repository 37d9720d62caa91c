import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { SearchSelect, useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import { contractParties } from '../../contract/parties.ts';

/** Chooses one of the known parties. */
export function PartyPicker({ control, but }: { control: FieldControl; but?: number }) {
  const searching = useSearching();
  const { data = [], isFetching } = useCall(contractParties.partyOptions, {
    query: { search_value: searching.search },
  });
  return (
    <SearchSelect
      {...(control as object)}
      searching={searching}
      hint="可换名称或信用代码再试"
      placeholder="请选择相对方"
      loading={isFetching}
      options={data
        .filter((one) => one.id !== but)
        .map((one) => ({ value: one.id, label: `${one.name} ${one.credit_code}` }))}
    />
  );
}
