import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { iconNames } from '#kernel/web/kit/show/icons.tsx';
import { designCalls, type Design } from '../../contract/design.ts';

interface Props {
  design: Design;
  version: number;
  onSaved: (version: number) => void;
}

/** Name, category and order of the workflow; changed at once, without publishing. */
export function AboutForm({ design, version, onSaved }: Props) {
  const { name, description, category, icon, order_id } = design;
  return (
    <CallForm
      key={design.version}
      name={`workflow-about:${design.id}`}
      call={designCalls.change}
      params={{ id: design.id }}
      initial={{ name, description, category, icon, order_id }}
      also={{ version }}
      fields={[
        { name: 'name' },
        { name: 'category', help: '发起工单时按分类列出' },
        { name: 'description' },
        {
          name: 'icon',
          kind: 'select',
          options: iconNames.map((value) => ({ value, label: value.replace('Outlined', '') })),
        },
        { name: 'order_id', help: '数值越小越靠前' },
      ]}
      submit="保存基本信息"
      onDone={(reply) => onSaved(reply.version)}
    />
  );
}
