import { Select } from 'antd';
import { keepPreviousData } from '@tanstack/react-query';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import { lookups } from '#modules/platform/people/contract/lookups.ts';
import { between, isOrganisation, keyOf, type Party } from '../../contract/shapes.ts';

/**
 * Addressees: departments of the house by name, pinyin or initials, and outside organisations by name, chosen explicitly. Letters typed on
 * the way to a department are not kept.
 */
export function PartiesInput({ control }: { control: FieldControl }) {
  const { text, setText, search } = useSearching();
  const typed = text.trim();
  const { data = [], isFetching } = useCall(
    lookups.simpleDepts,
    { query: { search_value: search } },
    { placeholderData: keepPreviousData },
  );
  const value = (control.value as Party[] | undefined) ?? [];
  // While the answer is loading, only options that contain the typed text are offered.
  const current = search === typed && !isFetching;
  const depts = data
    .filter(({ name }) => current || name.includes(typed))
    .map(({ id, name }): Party => ({ type: 'dept', id, name }));
  const outside = isOrganisation(typed) && !depts.some(({ name }) => name === typed);
  const offered = [...depts, ...(outside ? [{ type: 'org', name: typed } as Party] : [])];
  /** Text before a separator becomes a name at once. */
  const take = (next: string) => {
    const names = next.split(between).map((name) => name.trim());
    const rest = names.pop() ?? '';
    const added = names
      .filter(isOrganisation)
      .map((name): Party => depts.find((dept) => dept.name === name) ?? { type: 'org', name });
    const fresh = added.filter((party) => !value.some((one) => keyOf(one) === keyOf(party)));
    if (fresh.length > 0) control.onChange?.([...value, ...fresh]);
    setText(names.length > 0 ? rest : next);
  };
  const known = new Map([...value, ...offered].map((party) => [keyOf(party), party]));
  return (
    <Select
      id={control.id}
      mode="multiple"
      className="kit-wide"
      disabled={control.disabled ?? false}
      aria-invalid={control['aria-invalid']}
      aria-describedby={control['aria-describedby']}
      placeholder="输入部门名称、拼音，或外单位名称；多个用顿号隔开"
      showSearch={{ filterOption: false, searchValue: text, onSearch: take }}
      notFoundContent={current ? '没有找到，外单位请写出名称' : '正在查找'}
      options={offered.map((party) => ({
        value: keyOf(party),
        label: party.name,
        said: party.type === 'org' ? `外单位“${party.name}”` : party.name,
      }))}
      optionRender={({ data: { said } }) => said}
      labelRender={({ value: key }) => known.get(String(key))?.name}
      value={value.map(keyOf)}
      onChange={(keys: string[]) => {
        setText('');
        control.onChange?.(keys.flatMap((key) => known.get(key) ?? []));
      }}
    />
  );
}
