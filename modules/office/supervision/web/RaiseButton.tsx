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

/** The source code of a record by its module; 其他 for the rest. */
const sourceOf: Readonly<Record<string, number>> = { documents: 3, meetings: 2, contracts: 9, stamps: 6 };
const asked = ['title', 'content', 'lead_dept', 'owner', 'due_at', 'requirement', 'leader', 'level'];

/** 转督办: makes an item of a record, once, or links to the existing one. For users who may create items. */
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
