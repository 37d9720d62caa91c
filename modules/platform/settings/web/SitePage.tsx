import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { RulesPanel } from '#kernel/web/kit/rules/RulesPanel.tsx';
import { CalendarPanel } from '#modules/platform/calendars/widgets.tsx';
import { FilesField, FileUsage } from '#modules/platform/files/widgets.tsx';
import { settings } from '../contract.ts';
import { siteRules } from '../contract/site.ts';

type Picture = { id: number; url: string };
const logoInput = (pictures: readonly Picture[]) => (control: FieldControl) => (
  <FilesField
    control={control}
    label="标志"
    module="settings"
    accept=".png,.jpg,.jpeg,.webp,.gif"
    max={1}
    known={pictures.map((picture) => ({ ...picture, name: '当前标志', mime: 'image/webp' }))}
  />
);

/** Name, appearance and office hours of the whole site. */
export default function SitePage() {
  const { data } = useCall(settings.site, {});
  const may = usePermission();
  const logo = data?.value.logo ?? [];
  const someHolidays = (data?.value.holidays ?? []).length > 0;
  return (
    <div className="kit-stack">
      <RulesPanel
        rules={siteRules}
        read={settings.site}
        save={settings.saveSite}
        readOnly={may('Update') ? null : '您可以查看站点设置，修改需要“编辑”权限'}
        initial={(value) => ({ ...value, logo: (value['logo'] as Picture[]).map(({ id }) => id) })}
        instead={{ logo: { render: logoInput(logo) }, ...(someHolidays ? {} : { holidays: null }) }}
        saved="，刷新页面后显示新的名称、标志和颜色"
      />
      <FileUsage of="site" />
      <CalendarPanel />
    </div>
  );
}
