/** Ways to a person besides the box, which always gets everything. */
export const ways = { sms: '短信', mail: '邮件', push: '推送' } as const;
export type Way = keyof typeof ways;
export const wayCodes = Object.keys(ways) as [Way, ...Way[]];

/** What people choose for at once, in the order of the settings. */
export const newsGroups = [
  '待办',
  '工单进展',
  '公文',
  '制度文件',
  '会议',
  '活动',
  '领导日程',
  '值班',
  '督办',
  '合同',
  '印章',
  '报修',
  '客户与监测',
  '相册',
  '通知公告',
  '账号安全',
  '流程与委托',
  '系统',
] as const;
export type NewsGroup = (typeof newsGroups)[number];

/** What a record says of itself wherever people are told of it. */
export interface About {
  id: number;
  /** Stands behind the head of the kind. */
  title?: string;
  /** The page that shows it, where it is not the kind's. */
  page?: string;
  /** Whose number `id` is, where it is not one of the kind's own module. */
  module?: string;
  /** Which happening of the kind, where it comes again: the day it is due. Told of one, people are told of the next all the same. */
  occasion?: string;
  level?: number;
  /** What it is a part of, named before all that is said of it. */
  within?: string;
  /** Ways the sender chose for all of them, beside those each of them chose. */
  also?: readonly Way[];
}

/** Whether whoever heard of it hears of the same again: never, after ten minutes, or at once. */
export type Again = 'never' | 'later' | 'always';

interface Choice {
  /** What it is called where people choose how they hear of it. */
  name: string;
  /** By which ways whoever chose none hears of it: pushed unless said, for mail leads there only where it is asked for. */
  ways?: readonly Way[];
}
interface Declared extends Choice {
  /** Stands before the title of the record. */
  head: string;
  level?: number;
  /** Which page shows the record it is about. */
  page?: (id: number) => string;
  type?: number;
  group?: NewsGroup;
  again?: Again;
  /** Whoever acted hears of it too: it asks the same of them as of the others, or somebody else may have acted in their name. */
  own?: boolean;
  /** From this level on it is another thing to choose for. */
  urgent?: Choice & { from: number };
}
interface Declaration<R, K extends Readonly<Record<string, Declared>>> {
  module: string;
  /** One of `newsType`. */
  type: number;
  group: NewsGroup;
  page?: (id: number) => string;
  again?: Again;
  /** What the windows of those concerned ask anew for. */
  topic?: string;
  own?: boolean;
  /** What of a record follows for everything that is told of it. */
  of?: (row: R) => About;
  kinds: K;
}

/** One kind of news, as its module declares it: nobody is told of anything else. */
export interface NewsKind<in R = never> {
  readonly event: string;
  readonly module: string;
  readonly type: number;
  readonly head: string;
  readonly level: number;
  readonly again: Again;
  readonly topic: string | undefined;
  readonly own: boolean;
  page(id: number): string;
  readonly of: (row: R) => About;
  /** What people choose for: one thing, and another from a level on. */
  readonly choices: readonly { event: string; name: string; ways: readonly Way[]; from: number }[];
  readonly group: NewsGroup;
}
interface Titled {
  id: number;
  title?: string;
}

/**
 * What a module tells people of, said once: it stands in the settings of everybody under its name, and `announce` takes no other.
 * A module brings it to the product as `news`.
 */
export function newsKinds<const K extends Readonly<Record<string, Declared>>, R = Titled>(
  declaration: Declaration<R, K>,
): { readonly [E in keyof K]: NewsKind<R> } {
  const { kinds, of = ({ id, title }: R & Titled) => ({ id, ...(title === undefined ? {} : { title }) }) } =
    declaration;
  const made = Object.entries(kinds).map(([event, kind]): [string, NewsKind<R>] => {
    const choices = [{ event, name: kind.name, ways: kind.ways ?? (['push'] as const), from: 0 }];
    if (kind.urgent)
      choices.push({ ...kind.urgent, event: `${event}_URGENT`, ways: kind.urgent.ways ?? (['push'] as const) });
    const page = kind.page ?? declaration.page;
    if (!page) throw new Error(`news ${event} leads nowhere`);
    return [
      event,
      {
        event,
        module: declaration.module,
        type: kind.type ?? declaration.type,
        head: kind.head,
        level: kind.level ?? 0,
        again: kind.again ?? declaration.again ?? 'later',
        topic: declaration.topic,
        own: kind.own ?? declaration.own ?? false,
        page,
        of: of as (row: R) => About,
        choices,
        group: kind.group ?? declaration.group,
      },
    ];
  });
  return Object.fromEntries(made) as { readonly [E in keyof K]: NewsKind<R> };
}

/** Under which event people choose the ways of news of a kind and level. */
export const choiceOf = ({ choices }: NewsKind, level: number) => choices.findLast((one) => level >= one.from)!;

/** What all modules tell people of, and what people choose for. */
export interface NewsChoices {
  groups: { title: NewsGroup; events: { event: string; name: string }[] }[];
  defaults: Record<string, Way[]>;
}
/** A kind that several modules tell of is one thing to choose for. */
export function choicesOf(kinds: readonly NewsKind[]): NewsChoices {
  const all = new Map(kinds.flatMap((kind) => kind.choices.map((one) => [one.event, { ...one, group: kind.group }])));
  const groups = newsGroups.map((title) => ({
    title,
    events: [...all.values()].filter((one) => one.group === title).map(({ event, name }) => ({ event, name })),
  }));
  return {
    groups: groups.filter(({ events }) => events.length > 0),
    defaults: Object.fromEntries(Array.from(all.values(), ({ event, ways: own }) => [event, [...own]])),
  };
}
