import { App, Button } from 'antd';
import { dayAfter, dayOf, lastDayOf } from '#kernel/contract/moment.ts';
import { onOff } from '#kernel/contract/titles.ts';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { shapeOf } from '#kernel/web/kit/form/rules.ts';
import { Provisional } from '#modules/platform/calendars/widgets.tsx';
import { dutyCalls, planCalls } from '../contract.ts';
import { dutyPost } from '../contract/codes.ts';

export function Publish({ month }: { month: string }) {
  const { modal, message } = App.useApp();
  const sending = useSend(dutyCalls.publish, {
    onSuccess: ({ count }) => void message.success(`已发布 ${count} 个班次`),
    onError: (failure) => {
      const { gaps = [], can_force } = ((failure as { data?: unknown }).data ?? {}) as {
        gaps?: string[];
        can_force?: boolean;
      };
      if (can_force) ask(`缺人或有人不在岗的班次：${gaps.join('、')}`, true);
    },
  });
  const ask = (content: string, force: boolean) =>
    modal.confirm({
      title: `发布 ${month} 值班表`,
      content,
      okText: force ? '缺人也发布' : '发布',
      cancelText: '再看看',
      focusable: { autoFocusButton: 'cancel' },
      onOk: () => sending.mutateAsync({ body: { month, force } }).catch(() => undefined),
    });
  return (
    <WithCode code="Update">
      <Button type="primary" loading={sending.isPending} onClick={() => ask('发布后全员可见，值班人员收到消息', false)}>
        发布
      </Button>
    </WithCode>
  );
}

/** Makes a roster; shows the resulting points before anything is written. */
export function Make({ month, open, onClose }: { month: string; open: boolean; onClose: () => void }) {
  const { data } = useCall(planCalls.list, { query: { status: onOff.on, per_page: 100 } }, { enabled: open });
  const options = (data?.value ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const today = dayOf(new Date());
  const from = `${month}-01` < today ? today : `${month}-01`;
  return (
    <FormDrawer
      open={open && data !== undefined}
      onClose={onClose}
      onDone={onClose}
      title="自动排班"
      name="duty:make"
      call={dutyCalls.make}
      submit="排班"
      initial={{
        plan_id: options[0]?.value,
        from,
        to: lastDayOf(month) < from ? dayAfter(from, 30) : lastDayOf(month),
        keep: true,
      }}
      fields={fieldsOf(shapeOf(dutyCalls.make.body), {
        plan_id: { kind: 'select', options },
        from: { kind: 'date' },
        to: { kind: 'date', notBefore: 'from' },
      })}
      ask={async (body) => {
        const asked = dutyCalls.make.body!.parse({ ...body, dry_run: true });
        const { gaps, shares } = await send(dutyCalls.make, { body: asked }, { quiet: true });
        const shown = shares.filter((one) => one.after > one.before);
        return {
          title:
            gaps.length > 0
              ? `排不满：${gaps.slice(0, 6).join('、')}${gaps.length > 6 ? ` 等 ${gaps.length} 处` : ''}`
              : '全部排满',
          content: (
            <>
              <Provisional day={body['to'] as string} />
              <table className="duty-shares">
                <caption>各人积分，排班前后</caption>
                <tbody>
                  {shown.map((one) => (
                    <tr key={`${one.post} ${one.id}`}>
                      <td>{one.alias}</td>
                      <td className="kit-muted">{dutyPost.label(one.post)}</td>
                      <td className="kit-figures">
                        {Math.round(one.before * 10) / 10} → {Math.round(one.after * 10) / 10}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </>
          ),
        };
      }}
    />
  );
}
