import { App } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { CalendarPanel } from '#modules/calendars/widgets.tsx';
import { FilesInput, FileUsage } from '#modules/files/widgets.tsx';
import { settings } from '../contract.ts';
import { SettingsPanel } from './SettingsPanel.tsx';

const weekdays = ['星期一', '星期二', '星期三', '星期四', '星期五', '星期六', '星期日'];

const fields: FormField[] = [
  { name: 'name', label: '站点名称', group: '名称', help: '显示在左上角和登录页' },
  { name: 'logo', label: '标志', help: '显示在左上角和登录页，png、jpg、webp 或 gif 图片' },
  { name: 'copyright', label: '版权信息', help: '显示在登录页底部' },
  { name: 'icp', label: '备案号' },
  {
    name: 'theme',
    label: '主题颜色',
    group: '界面',
    help: '例如 #0099e0；修改后所有人换成这个颜色，仍可各自在界面设置中另选',
  },
  {
    name: 'watermark',
    label: '文件水印',
    kind: 'switch',
    help: '工单、公文和制度的文件查看、下载时带上查看人的姓名和时间；Office 文件转成 PDF，压缩包、OFD 和加密的 PDF 不能下载',
  },
  { name: 'visitor_orders', label: '访客报修', kind: 'switch', group: '办公', help: '未登录的人可用手机号提交报修' },
  { name: 'allow_secret', label: '允许涉密标记', kind: 'switch' },
  { name: 'check_layout', label: '公文格式从严', kind: 'switch', help: '格式检查有错误的公文不能提交和签发' },
  { name: 'file_max_mb', label: '附件上限（MB）', help: '每个文件' },
  {
    name: 'file_quota_mb',
    label: '个人文件空间（MB）',
    help: '一个人上传的全部文件，0 为不限；用到 80%、95% 时提醒本人',
  },
  { name: 'file_site_gb', label: '全站文件空间（GB）', help: '全部文件，0 为不限；用到 80%、95% 时提醒超级管理员' },
  {
    name: 'workdays',
    label: '工作日',
    kind: 'select',
    multiple: true,
    options: weekdays.map((label, index) => ({ value: index + 1, label })),
  },
  {
    name: 'office_hours',
    label: '办公时间',
    help: '例如 08:30-12:00、13:30-18:00；今后到达的环节按新的时间计算时限',
  },
  { name: 'holidays', label: '节假日', kind: 'select', multiple: true, help: '不计入办理时限的日期' },
];

const logoInput = (pictures: readonly { id: number; url: string }[]) => (control: FieldControl) => (
  <FilesInput
    id={control.id}
    label="标志"
    module="settings"
    accept=".png,.jpg,.jpeg,.webp,.gif"
    max={1}
    value={(control.value as number[] | undefined) ?? []}
    known={pictures.map((picture) => ({ ...picture, name: '当前标志', mime: 'image/webp' }))}
    disabled={control.disabled}
    aria-describedby={control['aria-describedby']}
    onChange={(ids) => control.onChange?.(ids)}
  />
);

/** Name, look and office hours of the whole site. */
export default function SitePage() {
  const reading = useCall(settings.site, {});
  const { message } = App.useApp();
  const may = usePermission();
  const { data } = reading;
  const logo = data?.value.logo ?? [];
  const readOnly = may('Update') ? null : '您可以查看站点设置，修改需要“编辑”权限';
  return (
    <div className="kit-stack">
      <SettingsPanel title="站点设置" reading={reading} readOnly={readOnly}>
        {data && !readOnly && (
          <CallForm
            key={data.version}
            name="settings-site"
            call={settings.saveSite}
            initial={{ ...data.value, logo: logo.map((picture) => picture.id) }}
            also={{ version: data.version }}
            submit="保存站点设置"
            onDone={() => void message.success(`${settings.saveSite.message}，刷新页面后显示新的名称、标志和颜色`)}
            fields={fields
              .filter((field) => field.name !== 'holidays' || (data.value.holidays ?? []).length > 0)
              .map((field) => (field.name === 'logo' ? { ...field, render: logoInput(logo) } : field))}
          />
        )}
      </SettingsPanel>
      <FileUsage of="site" />
      <CalendarPanel />
    </div>
  );
}
