import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import type { MenuSeed } from '#modules/access/seed.ts';
import { codeTemplate } from './service.ts';
import { smsTemplateTable } from './tables.ts';
import { columnsOf } from './templates.ts';

export const menus: MenuSeed[] = [
  { key: 'sms', title: '短信', path: '/sms', icon: 'MessageOutlined', order: 820, heading: true },
  {
    key: 'sms/send',
    parent: 'sms',
    title: '发送短信',
    path: 'send',
    icon: 'SendOutlined',
    order: 810,
    codes: ['Create', 'Retrieve'],
  },
  {
    key: 'sms/logs',
    parent: 'sms',
    title: '短信日志',
    path: 'logs',
    icon: 'UnorderedListOutlined',
    order: 820,
    codes: ['Retrieve', 'chuli', 'daochu'],
  },
  {
    key: 'sms/template',
    parent: 'sms',
    title: '短信模板',
    path: 'template',
    icon: 'SnippetsOutlined',
    order: 830,
    codes: ['Create', 'Retrieve', 'Update', 'Delete'],
  },
];

/** The template verification codes need, where it is missing. */
export async function seedSms(tx: Db): Promise<void> {
  const [known] = await tx
    .select({ id: smsTemplateTable.id })
    .from(smsTemplateTable)
    .where(eq(smsTemplateTable.code, codeTemplate));
  if (known) return;
  await tx.insert(smsTemplateTable).values(
    columnsOf({
      code: codeTemplate,
      name: '短信验证码',
      content: '验证码 {code}，用于{scene}，{minutes} 分钟内有效，请勿告诉他人。',
      type: 1,
      sign: '',
      providerTemplate: '',
      status: 1,
    }),
  );
}
