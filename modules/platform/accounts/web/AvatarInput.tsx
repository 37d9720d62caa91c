import { App, Avatar, Button } from 'antd';
import { useRef } from 'react';
import { useSend } from '#kernel/web/calls.ts';
import { useUpload } from '#modules/platform/files/widgets.tsx';
import { accounts } from '../contract.ts';
import type { Profile } from '../contract.ts';

/** Shows my picture and replaces it; effective as soon as it is uploaded. */
export function AvatarInput({ me }: { me: Profile }) {
  const chosen = useRef<HTMLInputElement>(null);
  const { busy: uploading, upload } = useUpload('people');
  const { message } = App.useApp();
  const saving = useSend(accounts.changeInfo, { onSuccess: () => void message.success('头像已更换') });
  const send = async (file: File | undefined) => {
    if (!file) return;
    try {
      const card = await upload(file);
      if (card) await saving.mutateAsync({ body: { avatar: card.id } });
    } catch {
      // The error was shown; the previous picture stays.
    } finally {
      if (chosen.current) chosen.current.value = '';
    }
  };
  const busy = uploading || saving.isPending;
  return (
    <div className="kit-row" style={{ marginBottom: 16 }}>
      <Avatar
        size={64}
        src={me.avatar?.url}
        alt={`${me.alias}的头像`}
        style={{ background: 'var(--c-primary)', color: 'var(--c-on-primary)' }}
      >
        {me.alias.slice(-2)}
      </Avatar>
      <input
        ref={chosen}
        type="file"
        hidden
        aria-label="选择头像"
        accept="image/png,image/jpeg,image/webp,image/gif"
        onChange={(event) => void send(event.target.files?.[0])}
      />
      <Button loading={busy} onClick={() => chosen.current?.click()}>
        更换头像
      </Button>
      {me.avatar && (
        <Button type="text" disabled={busy} onClick={() => saving.mutate({ body: { avatar: null } })}>
          移除
        </Button>
      )}
    </div>
  );
}
