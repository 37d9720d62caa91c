import { Button } from 'antd';
import { useState } from 'react';
import { useSend } from '#kernel/web/calls.ts';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { users } from '../contract/users.ts';

interface Props {
  person: { id: number; alias: string; phone: string; actions: readonly string[] };
}

/** A masked number, and the full one on request: each display is logged and counted. */
export function PhoneText({ person }: Props) {
  const [whole, setWhole] = useState('');
  const asking = useSend(users.phone, { invalidates: [], onSuccess: ({ phone }) => setWhole(phone) });
  if (whole) return <CopyText text={whole} />;
  if (!person.phone) return <>—</>;
  return (
    <span className="kit-figures">
      {person.phone}
      {person.actions.includes('phone') && (
        <Button
          type="link"
          size="small"
          loading={asking.isPending}
          aria-label={`查看 ${person.alias} 的手机号`}
          onClick={() => asking.mutate({ params: { id: person.id } })}
        >
          查看
        </Button>
      )}
    </span>
  );
}
