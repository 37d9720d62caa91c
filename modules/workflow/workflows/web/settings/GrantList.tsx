import { DeleteOutlined } from '@ant-design/icons';
import { App, Button, Select } from 'antd';
import { useState } from 'react';
import { useSend } from '#kernel/web/calls.ts';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { designCalls, type Design } from '../../contract/design.ts';
import type { Names } from '../names.ts';
import { RolePicker } from '../RolePicker.tsx';
import { coded } from '../words.ts';

type Grant = Pick<Design['grants'][number], 'permission' | 'holder_type' | 'holder'>;
interface Props {
  design: Design;
  version: number;
  names: Names;
  onSaved: (version: number) => void;
}
const permissions = { view: '查看', intervene: '干预', admin: '管理' } as const;
const holders = { user: '人员', dept: '部门', role: '角色' } as const;

/** People who see, intervene in or administer this workflow's tickets beyond their own; changed at once. */
export function GrantList({ design, version, names, onSaved }: Props) {
  const { message } = App.useApp();
  const [changed, setChanged] = useState<Grant[] | null>(null);
  const grants: readonly Grant[] = changed ?? design.grants;
  const saving = useSend(designCalls.change, {
    onSuccess: (reply) => {
      onSaved(reply.version);
      setChanged(null);
      void message.success('授权已保存');
    },
  });
  const put = (index: number, part: Partial<Grant>) =>
    setChanged(grants.map((grant, at) => (at === index ? { ...grant, ...part } : grant)));
  return (
    <div className="kit-stack">
      <p className="kit-muted">查看：看到所有工单；干预：还可以强制改变环节；管理：还可以设计流程</p>
      {grants.map((grant, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows have no identity but their place
        <div className="settings-grant" key={index}>
          <Select
            aria-label={`授权 ${index + 1} 的权限`}
            options={coded(permissions)}
            value={grant.permission}
            onChange={(permission) => put(index, { permission })}
          />
          <Select
            aria-label={`授权 ${index + 1} 的对象类型`}
            options={coded(holders)}
            value={grant.holder_type}
            onChange={(holder_type) => put(index, { holder_type, holder: '' })}
          />
          <Holder
            grant={grant}
            name={design.grants.find((one) => one.holder === grant.holder)?.holder_name ?? ''}
            names={names}
            onChange={(holder) => put(index, { holder })}
          />
          <Button
            type="text"
            aria-label={`删除授权 ${index + 1}`}
            icon={<DeleteOutlined />}
            onClick={() => setChanged(grants.filter((_grant, at) => at !== index))}
          />
        </div>
      ))}
      <div className="kit-row">
        <Button
          size="small"
          onClick={() => setChanged([...grants, { permission: 'view', holder_type: 'user', holder: '' }])}
        >
          添加授权
        </Button>
        {changed && (
          <Button
            size="small"
            type="primary"
            loading={saving.isPending}
            disabled={changed.some((grant) => grant.holder === '')}
            onClick={() =>
              saving.mutate({
                params: { id: design.id },
                body: {
                  grants: changed.map(({ permission, holder_type, holder }) => ({ permission, holder_type, holder })),
                  version,
                },
              })
            }
          >
            保存授权
          </Button>
        )}
      </div>
    </div>
  );
}

interface HolderProps {
  grant: Grant;
  name: string;
  names: Names;
  onChange: (holder: string) => void;
}

function Holder({ grant, name, names, onChange }: HolderProps) {
  const { holder } = grant;
  if (grant.holder_type === 'dept')
    return (
      <DeptPicker value={holder ? Number(holder) : null} onChange={(dept) => onChange(dept ? String(dept) : '')} />
    );
  if (grant.holder_type === 'role')
    return <RolePicker aria-label="角色" names={names} value={holder || undefined} onChange={onChange} />;
  return (
    <PersonPicker
      value={holder}
      known={holder ? [{ id: 0, username: holder, alias: name || holder, dept_id: null, dept_name: '' }] : []}
      onChange={(username) => onChange(username ?? '')}
    />
  );
}
