import { eq, inArray, isNull } from 'drizzle-orm';
import { dayMs } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { contractPartyTable } from '#modules/office/contracts/tables.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { customerType } from './contract/codes.ts';
import { contactSearch, sealedMobile } from './server/contacts.ts';
import { customerSearch } from './server/customers.ts';
import { contactTable, customerTable, projectTable, visitTable } from './tables.ts';

const places = ['青山', '白鹭湖', '临江', '松溪', '云岭', '长桥', '东湾', '北苑', '南浦'];
const kinds = [
  { ending: '市实验中学', type: customerType.school, industry: '教育', projects: ['智慧校园平台', '考务管理系统'] },
  {
    ending: '区大数据局',
    type: customerType.government,
    industry: '政务',
    projects: ['政务服务门户', '数据共享平台', '一网通办'],
  },
  { ending: '软件有限公司', type: customerType.company, industry: '软件', projects: ['官网', '客服系统', '知识库'] },
];
const surnames = [...'李周沈顾陆'];
const given = ['若兰', '明哲', '思远', '佩文', '可欣', '致远', '亦凡'];
const said = [
  '电话沟通续约意向，对方近期走预算',
  '现场巡检，系统运行正常',
  '来访确认下一期需求',
  '线上演示新版本，反馈良好',
];

/** Twelve customers of the computing centre with thirty projects; the first ones have contracts with the school. */
export async function addDemoCustomers(tx: Db, now: Date): Promise<void> {
  const [dept] = await tx.select({ id: deptTable.id }).from(deptTable).where(eq(deptTable.code, 'XXZX'));
  const people = await tx
    .select({ id: userTable.id })
    .from(userTable)
    .where(inArray(userTable.dept_id, [dept!.id]))
    .orderBy(userTable.id);
  const known = await tx
    .select({ name: contractPartyTable.name, credit_code: contractPartyTable.credit_code })
    .from(contractPartyTable)
    .where(isNull(contractPartyTable.merged_id))
    .orderBy(contractPartyTable.id)
    .limit(3);
  const person = (at: number) => people[at % people.length]!.id;
  const day = (days: number) => new Date(now.getTime() + days * dayMs).toISOString();
  const customers = Array.from({ length: 12 }, (_one, at) => {
    const kind = kinds[at % kinds.length]!;
    const party = known[at];
    const row = {
      name: party?.name ?? `${places[at - known.length]}${kind.ending}`,
      code: `K${String(at + 1).padStart(3, '0')}`,
      credit_code: party?.credit_code ?? '',
      type: party ? customerType.company : kind.type,
      level: [1, 2, 2, 3][at % 4]!,
      status: [1, 1, 2, 1, 3][at % 5]!,
      industry: party ? '供应' : kind.industry,
      address: `学府路 ${at * 7 + 12} 号`,
      phone: `0571-8800${String(1000 + at * 37)}`,
      tags: [['驻场'], ['软件', '续签'], [], ['重点跟进']][at % 4]!,
      follow_days: [30, 90, 60][at % 3]!,
    };
    const owner = person(at);
    const own = { creator_id: owner, owner, dept_id: dept!.id, gmt_created: day(-300 + at * 9) };
    return { ...row, ...own, search: customerSearch(row) };
  });
  const made = await tx.insert(customerTable).values(customers).returning({ id: customerTable.id });
  const contacts = Array.from({ length: 24 }, (_one, at) => {
    const row = {
      name: `${surnames[at % 5]}${given[at % 7]}`,
      post: ['主任', '工程师'][at % 2]!,
      dept: '信息部',
      phone: '',
    };
    const sealed = sealedMobile(tx.services.secretBox, `139${String(55_000_000 + at * 1117)}`);
    const whose = {
      customer_id: made[at % 12]!.id,
      creator_id: person(at % 12),
      is_primary: at < 12,
      receive_sms: at < 12,
    };
    return { ...row, ...sealed, ...whose, search: contactSearch({ ...row, ...sealed }) };
  });
  const reached = await tx.insert(contactTable).values(contacts).returning({ id: contactTable.id });
  await tx.insert(projectTable).values(
    Array.from({ length: 30 }, (_one, at) => {
      const of = at % 12;
      const names = kinds[of % kinds.length]!.projects;
      const round = Math.floor(at / 12);
      const row = { name: names[round] ?? `${names[0]!}二期`, code: `XM${String(at + 1).padStart(3, '0')}` };
      return {
        ...row,
        creator_id: person(of),
        customer_id: made[of]!.id,
        manager: person(at + 1),
        members: [person(at + 2)],
        url: `https://demo${at + 1}.example.com`,
        start_date: day(-200 + at * 3).slice(0, 10),
        end_date: day(60 + at * 11).slice(0, 10),
        status: [1, 2, 2, 3, 4][at % 5]!,
        service_level: (at % 2) + 1,
        sms_switch: at % 3 === 0,
        alert_users: [person(at)],
        alert_contacts: [reached[of]!.id],
        search: searchVector({ names: [row.name], codes: [row.code], texts: [] }),
      };
    }),
  );
  await tx.insert(visitTable).values(
    Array.from({ length: 20 }, (_one, at) => ({
      creator_id: person(at % 10),
      customer_id: made[at % 10]!.id,
      contact_id: reached[at % 10]!.id,
      way: (at % 4) + 1,
      visited_at: day(-110 + at * 5),
      content: said[at % 4]!,
      next_date: at % 4 === 0 ? day(at).slice(0, 10) : null,
    })),
  );
}
