import { and, asc, desc, eq, ne } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import { defaultIsOff, lineStyles, nameTaken, letterheads } from './contract.ts';
import { redheadTable } from './tables.ts';

type Input = BodyOf<typeof letterheads.create>;
type Row = typeof redheadTable.$inferSelect;
const page = 'document/setting';
const alive = eq(redheadTable.is_deleted, false);
const taken = (name: string) => refuseOn('redhead_name_unique', () => nameTaken(name));
const words = (
  row: Pick<Row, 'name' | 'org_line' | 'print_org' | 'colour' | 'line_style' | 'is_default' | 'status'>,
) => ({
  名称: row.name,
  发文机关标志: row.org_line,
  印发机关: row.print_org,
  颜色: row.colour,
  分隔线: lineStyles[row.line_style as 1],
  默认: row.is_default ? '是' : '否',
  状态: row.status === 1 ? '启用' : '停用',
});

function columnsOf(body: Input) {
  if (body.is_default && body.status === 0) throw defaultIsOff();
  return { ...body, doc_types: [...new Set(body.doc_types)] };
}

/** One template at most is the default: the last that was made so. */
async function makeRoom(tx: Db, isDefault: boolean, id: number): Promise<void> {
  if (!isDefault) return;
  await tx
    .update(redheadTable)
    .set({ is_default: false })
    .where(and(alive, eq(redheadTable.is_default, true), ne(redheadTable.id, id)));
}

async function held(tx: Db, id: number): Promise<Row> {
  const [row] = await tx
    .select()
    .from(redheadTable)
    .where(and(alive, eq(redheadTable.id, id)))
    .for('update');
  if (!row) throw absent('红头模板');
  return row;
}

/** The templates of heads. */
export const letterheadsModule = implement('letterheads', letterheads, {
  async list(_input, { tx, user }) {
    const may = (code: 'Retrieve' | 'Update' | 'Delete') => holds(user, code, page);
    const rows = await tx
      .select()
      .from(redheadTable)
      .where(and(alive, may('Retrieve') ? undefined : eq(redheadTable.status, 1)))
      .orderBy(desc(redheadTable.is_default), asc(redheadTable.id));
    const actions = [...(may('Update') ? ['edit'] : []), ...(may('Delete') ? ['delete'] : [])];
    return {
      value: rows.map((row) => ({
        id: row.id,
        name: row.name,
        org_line: row.org_line,
        print_org: row.print_org,
        colour: row.colour,
        line_style: row.line_style,
        doc_types: row.doc_types,
        is_default: row.is_default,
        status: row.status,
        gmt_modified: row.gmt_modified,
        version: row.version,
        actions,
      })),
    };
  },

  async create({ body }, { tx, audit }) {
    const columns = columnsOf(body);
    await makeRoom(tx, columns.is_default, 0);
    const [row] = await tx
      .insert(redheadTable)
      .values(columns)
      .returning({ id: redheadTable.id })
      .catch(taken(body.name));
    audit({ type: '红头模板', id: row!.id, title: body.name, after: words(columns) });
    return { id: row!.id };
  },

  async change({ params: { id }, body: { version, ...body } }, { tx, audit }) {
    const before = await held(tx, id);
    checkVersion('红头模板', before, version, { id, name: before.name, version: before.version });
    const columns = columnsOf(body);
    await makeRoom(tx, columns.is_default, id);
    await tx
      .update(redheadTable)
      .set({ ...columns, ...touched(redheadTable) })
      .where(eq(redheadTable.id, id))
      .catch(taken(body.name));
    audit({ type: '红头模板', id, title: body.name, before: words(before), after: words(columns) });
    return { id };
  },

  async remove({ params: { id } }, { tx, audit }) {
    const row = await held(tx, id);
    await tx.update(redheadTable).set({ is_deleted: true, is_default: false }).where(eq(redheadTable.id, id));
    audit({ type: '红头模板', id, title: row.name, before: words(row) });
    return { id };
  },
});
