import { eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { templateStatus } from '../contract/templates.ts';
import { contractCategoryTable, contractTemplateTable, contractTemplateVersionTable } from '../tables.ts';
import { settled } from '../templates/writing.ts';
import { categorySeeds, templateSeeds } from './templates.ts';

/** The initial categories and templates, unless there are any. Idempotent. */
export async function seedCategories(tx: Db): Promise<void> {
  const [any] = await tx
    .select({ one: sql`1` })
    .from(contractCategoryTable)
    .limit(1);
  if (any) return;
  const made = await tx
    .insert(contractCategoryTable)
    .values(categorySeeds.map((one, at) => ({ ...one, order_id: (at + 1) * 10 })))
    .returning({ id: contractCategoryTable.id, code: contractCategoryTable.code });
  for (const { code, name, content, variables } of templateSeeds) {
    const category_id = made.find((one) => one.code === code)!.id;
    const [template] = await tx
      .insert(contractTemplateTable)
      .values({ name, category_id, status: templateStatus.inUse })
      .returning({ id: contractTemplateTable.id });
    const words = settled({ content, variables });
    await tx.insert(contractTemplateVersionTable).values({ ...words, template_id: template!.id, no: 1 });
    await tx
      .update(contractCategoryTable)
      .set({ default_template_id: template!.id })
      .where(eq(contractCategoryTable.id, category_id));
  }
}
