import { keepPreviousData } from '@tanstack/react-query';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { SearchSelect, useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { links, linkTypes, spokenTypes } from '../contract.ts';

interface Props {
  module: string;
  id: number;
  modules: readonly { module: string; name: string }[];
  onClose: () => void;
}

/** Links a record with another one of any module. */
export function AddLink({ module, id, modules, onClose }: Props) {
  return (
    <FormDrawer
      open
      onClose={onClose}
      title="添加关联"
      name={`link:${module}:${id}`}
      call={links.create}
      initial={{ to_module: modules[0]?.module, type: 'related' }}
      also={{ from_module: module, from_id: id }}
      submit="添加关联"
      fields={[
        {
          name: 'to_module',
          kind: 'select',
          options: modules.map((one) => ({ value: one.module, label: one.name })),
        },
        {
          name: 'to_id',
          help: '只列出您能看到的，输入标题或编号查找',
          render: (control, values) => <RecordPicker control={control} module={String(values['to_module'] ?? '')} />,
        },
        {
          name: 'type',
          kind: 'select',
          help: '本件替代了对方时选“被本件替代”；对方替代了本件的，请到对方页面上添加',
          options: spokenTypes.map((type) => ({ value: type, label: linkTypes[type][0] })),
        },
      ]}
      onDone={() => undefined}
    />
  );
}

function RecordPicker({ control, module }: { control: FieldControl; module: string }) {
  const searching = useSearching();
  const { data = [], isFetching } = useCall(
    links.candidates,
    { query: { module, search_value: searching.search } },
    { enabled: module !== '', placeholderData: keepPreviousData },
  );
  return (
    <SearchSelect
      id={control.id}
      disabled={control.disabled}
      placeholder="输入标题或编号"
      aria-invalid={control['aria-invalid']}
      aria-describedby={control['aria-describedby']}
      searching={searching}
      loading={isFetching}
      hint="可换个词再试"
      options={data
        .filter((one) => one.module === module)
        .map((one) => ({ value: one.id, label: [one.title, one.sn, one.state].filter(Boolean).join(' · ') }))}
      value={(control.value as number | undefined) || undefined}
      onChange={(next?: number) => control.onChange?.(next ?? null)}
    />
  );
}
