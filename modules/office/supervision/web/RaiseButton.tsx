import { Button } from 'antd';
import { useContext, useState } from 'react';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { PermissionContext } from '#kernel/web/kit/permission.tsx';
import type { Matter } from '#kernel/web/registry.ts';
import { superviseLevel } from '../contract/codes.ts';
import { items } from '../contract/supervise.ts';
import { itemFields } from './parts/actions.tsx';

/** What a record of a module counts as among the sources of an item; of all others it is 其他. */
const sourceOf: Readonly<Record<string, number>> = { documents: 3, meetings: 2, contracts: 9, stamps: 6 };
const asked = ['title', 'content', 'lead_dept', 'owner', 'due_at', 'requirement', 'leader', 'level'];

/** 转督办: makes a supervised item of a record, once; where there is one already it leads there. For who may make items. */
export default function RaiseButton({ source, title, content, owner, due }: Matter) {
  const codesAt = useContext(PermissionContext);
  const may = codesAt('/supervise/list').includes('Create');
  const [open, setOpen] = useState(false);
  const query = { source_module: source.module, source_id: source.id, per_page: 100 };
  const { data } = useCall(items.list, { query }, { enabled: may });
  if (!may || !data) return null;
  const known = data.value.find((row) => row.source_key === (source.key ?? ''));
  if (known) return <Link to={`/supervise/detail/${known.id}`}>已转督办 {known.sn}</Link>;
  return (
    <>
      <Button onClick={() => setOpen(true)}>转督办</Button>
      <FormDrawer
        open={open}
        onClose={() => setOpen(false)}
        title={`转督办：${title}`}
        name={`supervise:raise:${source.module}:${source.id}:${source.key ?? ''}`}
        call={items.create}
        fields={itemFields().filter((field) => asked.includes(field.name))}
        initial={{
          title: title.slice(0, 120),
          content,
          owner,
          due_at: due?.replace(' ', 'T'),
          level: superviseLevel.usual,
        }}
        also={{ from: source, source: sourceOf[source.module] ?? 9 }}
        submit="转督办"
        onDone={() => setOpen(false)}
      />
    </>
  );
}
