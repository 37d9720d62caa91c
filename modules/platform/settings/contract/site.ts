import { z } from 'zod';
import { rules, type RuleValue } from '#kernel/contract/rules.ts';
import { field } from '#kernel/contract/titles.ts';
import { day, id, line, name } from '#kernel/contract/shapes.ts';
import { dayParts, dayPartsText } from './office-hours.ts';

const weekdays = ['星期一', '星期二', '星期三', '星期四', '星期五', '星期六', '星期日'];

/** Name, appearance and office hours of the whole site. */
export const siteRules = rules({
  key: 'site',
  title: '站点设置',
  shape: {
    name: name(30).meta(field('站点名称', { group: '名称', help: '显示在左上角和登录页' })),
    title: line(60).meta(field('网页标题', { hidden: true })),
    /** Ids of files; the first is shown. */
    logo: z
      .array(id)
      .max(1, '只能有一个标志')
      .meta(field('标志', { help: '显示在左上角和登录页，png、jpg、webp 或 gif 图片' })),
    copyright: line(100).meta(field('版权信息', { help: '显示在登录页底部' })),
    icp: line(50).meta(field('备案号')),
    theme: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, '请填写颜色，例如 #0099e0')
      .meta(
        field('主题颜色', {
          group: '界面',
          help: '例如 #0099e0；修改后所有人换成这个颜色，仍可各自在界面设置中另选',
        }),
      ),
    watermark: z.boolean().meta(
      field('文件水印', {
        help: '工单、公文和制度的文件查看、下载时带上查看人的姓名和时间；Office 文件转成 PDF，压缩包、OFD 和加密的 PDF 不能下载',
      }),
    ),
    visitor_orders: z.boolean().meta(field('访客报修', { group: '办公', help: '未登录的人可用手机号提交报修' })),
    feed_titles: z.boolean().meta(
      field('日历可写内部标题', {
        help: '本人可以让订阅的日历写明内部会议和日程的标题；关闭后都写“会议（内部）”“日程（内部）”',
      }),
    ),
    allow_secret: z.boolean().meta(field('允许涉密标记')),
    /** A document whose layout has errors is neither submitted nor signed. */
    check_layout: z.boolean().meta(field('公文格式从严', { help: '格式检查有错误的公文不能提交和签发' })),
    file_max_mb: z
      .int()
      .min(1)
      .max(200)
      .meta(field('附件上限（MB）', { help: '每个文件' })),
    /** All files of a person; 0: no limit. */
    file_quota_mb: z
      .int()
      .min(0)
      .max(10_000_000)
      .meta(field('个人文件空间（MB）', { help: '一个人上传的全部文件，0 为不限；用到 80%、95% 时提醒本人' })),
    /** All files of the house; 0: no limit. */
    file_site_gb: z
      .int()
      .min(0)
      .max(1_000_000)
      .meta(field('全站文件空间（GB）', { help: '全部文件，0 为不限；用到 80%、95% 时提醒超级管理员' })),
    /** 1 Monday … 7 Sunday. */
    workdays: z
      .array(z.int().min(1).max(7))
      .max(7)
      .meta(
        field('工作日', {
          kind: 'select',
          multiple: true,
          options: weekdays.map((label, index) => ({ value: index + 1, label })),
        }),
      ),
    /** Office hours of a working day: `08:30–12:00、13:30–18:00`. */
    office_hours: line(100)
      .transform((text, context) => {
        const parts = dayParts(text);
        if (parts) return dayPartsText(parts);
        context.addIssue({
          code: 'custom',
          message: '请按“08:30-12:00、13:30-18:00”填写，最多 4 段，从早到晚、互不重叠',
        });
        return z.NEVER;
      })
      .meta(field('办公时间', { help: '例如 08:30-12:00、13:30-18:00；今后到达的环节按新的时间计算时限' })),
    holidays: z
      .array(day)
      .max(400)
      .meta(field('节假日', { kind: 'select', multiple: true, help: '不计入办理时限的日期' })),
  },
  defaults: {
    name: '工单系统',
    title: '工单系统',
    logo: [],
    copyright: '',
    icp: '',
    theme: '#0099e0',
    watermark: false,
    visitor_orders: false,
    feed_titles: true,
    allow_secret: false,
    check_layout: false,
    file_max_mb: 50,
    file_quota_mb: 10_240,
    file_site_gb: 0,
    workdays: [1, 2, 3, 4, 5],
    office_hours: '08:30–12:00、13:30–18:00',
    holidays: [],
  },
});
export type SiteValue = RuleValue<typeof siteRules>;
