import { dayOf } from '#kernel/contract/moment.ts';
import { send } from '#kernel/web/client.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { leaders } from '../contract.ts';

/** Sends a day's schedules, or one of them, by text message, after a preview. */
export function TextDrawer({ id, onClose }: { id?: number; onClose: () => void }) {
  return (
    <FormDrawer
      open
      onClose={onClose}
      onDone={onClose}
      title="短信发送日程"
      name={`leader:sms:${id ?? 'day'}`}
      call={leaders.sms}
      {...(id ? { also: { ids: [id] } } : { initial: { date: dayOf(new Date()) } })}
      submit="发送短信"
      ask={async (body) => {
        const found = await send(leaders.sms, { body: { ...body, preview: true } }, { quiet: true });
        return {
          title: `发给 ${found.count} 人次，共 ${found.segments} 条`,
          content: (
            <ul className="kit-lines">
              {found.texts.slice(0, 6).map((one) => (
                <li key={`${one.name} ${one.text}`}>
                  <strong>{one.name}</strong> {one.text}
                </li>
              ))}
              {found.failed.map((one) => (
                <li key={one.name} className="kit-muted">
                  {one.name} 不发送：{one.reason}
                </li>
              ))}
            </ul>
          ),
        };
      }}
      fields={[
        ...(id ? [] : [{ name: 'date', kind: 'date' as const }]),
        {
          name: 'users',
          help: '不填则发给领导本人和秘书；各人只收到自己可以知道的内容',
          render: (control) => <PersonPicker {...(control as object)} multiple />,
        },
      ]}
    />
  );
}
