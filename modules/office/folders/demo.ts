import { asc, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { paperStatus } from './contract/list.ts';
import { categoryTable, paperTable } from './tables.ts';

const travel = (limit: string) => `第一章 总则
第一条 为规范差旅费管理，保证公务出差的需要，厉行节约，制定本办法。
第二条 本办法适用于全校教职工因公出差的交通费、住宿费、伙食补助费和市内交通费。
第二章 标准
一、交通费
出差人员按规定等级乘坐交通工具，凭据报销。
二、住宿费
住宿费在${limit} 元以内凭据报销，超过部分自理。
三、补助
（一）伙食补助
按出差自然天数计算，每人每天 100 元包干使用。
（二）市内交通补助
按出差自然天数计算，每人每天 80 元包干使用。
第三章 附则
第三条 本办法由财务处负责解释。`;

const papers = [
  ['差旅费管理办法', '校财〔2024〕6 号', 1, '2024-03-18', travel('每人每天 350')],
  ['差旅费管理办法（2026 年修订）', '校财〔2026〕3 号', 1, '2026-02-27', travel('每人每天 420')],
  [
    '印章使用管理规定',
    '校办〔2025〕11 号',
    0,
    '2025-06-05',
    '第一章 保管\n第一条 印章由专人保管，存放于保险柜内。\n第二章 使用\n第二条 用印须经审批，保管员核对无误后方可用印。',
  ],
  [
    '实验室安全管理办法',
    '校实〔2025〕4 号',
    3,
    '2025-09-12',
    '第一章 责任\n第一条 实验室负责人是安全第一责任人。\n第二章 准入\n第二条 进入实验室前须完成安全培训并考核合格。',
  ],
  [
    '课堂教学规范',
    '校教〔2026〕8 号',
    2,
    '2026-08-25',
    '一、课前\n教师应提前五分钟到达教室，检查设备。\n二、课中\n教师应按教学大纲授课，关注学生的学习状态。',
  ],
] as const;

/** Some papers in force, and one that was replaced by a revision. */
export async function addDemoPapers(tx: Db): Promise<void> {
  const categories = await tx.select().from(categoryTable).orderBy(asc(categoryTable.id));
  const [dept] = await tx.select().from(deptTable).orderBy(asc(deptTable.id)).limit(1);
  const [author] = await tx.select().from(userTable).where(eq(userTable.username, 'admin'));
  if (!dept || !author) return;
  let last: number | null = null;
  for (const [index, [title, fwh, category, publish_date, content]] of papers.entries()) {
    const values: typeof paperTable.$inferInsert = {
      creator_id: author.id,
      dept_id: dept.id,
      category_id: categories[category]!.id,
      title,
      fwh,
      publish_date,
      content,
      audience: ['a0'],
      status: index === 0 ? paperStatus.revised : paperStatus.inForce,
      ...(index === 1 ? { version_no: 2, replace_id: last } : {}),
      published_at: `${publish_date} 09:00:00`,
      search: searchVector({ codes: [fwh], texts: [title, content] }),
    };
    const [row]: { id: number }[] = await tx.insert(paperTable).values(values).returning({ id: paperTable.id });
    last = row!.id;
  }
}
