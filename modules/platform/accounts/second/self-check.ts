import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { userType } from '#modules/platform/people/contract/codes.ts';
import type { LoginValue, SiteValue } from '#modules/platform/settings/service.ts';

interface Finding {
  title: string;
  demand: string;
  now: string;
  met: boolean;
}

/** The numbers of system, people and log administrators, of people with several of these offices, and of administrators without an app. */
interface Offices extends Record<string, unknown> {
  system: number;
  safety: number;
  audit: number;
  several: number;
  bare: number;
}

/** The present state of this organisation against the requirements of protection level assessment, whatever is configured. */
export async function selfCheck(tx: Db, login: LoginValue, site: SiteValue, origin: string | null) {
  const { rows } = await tx.execute<Offices>(sql`
    with holding as (
      select u.id, u.type_id = ${inSql(userType.superAdmin)} or coalesce(bool_or(r.code = 'super_admin'), false) system,
        coalesce(bool_or(r.code = 'org_admin'), false) safety, coalesce(bool_or(r.code = 'auditor'), false) audit
      from app_user u left join held_role h on h.user_id = u.id left join role r on r.id = h.role_id
      where u.is_active and not u.is_deleted group by u.id)
    select count(*) filter (where system)::int system, count(*) filter (where safety)::int safety,
      count(*) filter (where audit)::int audit,
      count(*) filter (where system::int + safety::int + audit::int > 1)::int several,
      count(*) filter (where (system or safety) and not exists (
        select 1 from second_factor f where f.user_id = holding.id and f.confirmed_at is not null))::int bare
    from holding`);
  const { system, safety, audit, several, bare } = rows[0]!;
  const finding = (title: string, demand: string, now: string, met: boolean): Finding => ({ title, demand, now, met });
  const { pwd_expire_days: days } = login;
  const value = [
    finding(
      '密码规则',
      '不少于 8 位，含 3 类字符，90 天内更换',
      `${login.pwd_min} 位，${login.pwd_classes} 类，${days === 0 ? '长期有效' : `${days} 天更换`}`,
      login.pwd_min >= 8 && login.pwd_classes >= 3 && days > 0 && days <= 90,
    ),
    finding(
      '登录失败',
      '失败不超过 5 次即加重校验，至少计 10 分钟',
      `${login.max_fail} 次，${login.lock_min} 分钟`,
      login.max_fail <= 5 && login.lock_min >= 10,
    ),
    finding('登录状态', '不使用后 12 小时内自动退出', `${login.session_hours} 小时`, login.session_hours <= 12),
    finding(
      '二次验证',
      '管理员登录须二次验证，且都已绑定验证器',
      login.second_step === 0 ? '不要求' : bare === 0 ? '管理员都已绑定' : `${bare} 位管理员还没有绑定`,
      login.second_step !== 0 && bare === 0,
    ),
    finding(
      '三员分立',
      '系统管理、组织管理、审计分别有人担任，且互不兼任',
      `系统管理 ${system} 人，组织管理 ${safety} 人，审计 ${audit} 人，兼任 ${several} 人`,
      system > 0 && safety > 0 && audit > 0 && several === 0,
    ),
    finding('日志保留', '操作日志保留不少于 180 天', `${login.log_keep_days} 天`, login.log_keep_days >= 180),
    finding('水印', '预览和导出的文件带水印', site.watermark ? '已开启' : '未开启', site.watermark),
    finding(
      '传输加密',
      '以 https 地址访问',
      origin ?? '没有设置访问地址',
      origin !== null && origin.startsWith('https://'),
    ),
  ];
  return { on: login.dengbao, value };
}
