import type { Chance } from '#kernel/server/process/chance.ts';
import { cast } from './asking.ts';
import { contractLife } from './contracts.ts';
import { sealLife } from './seals.ts';
import {
  action,
  agrees,
  buttons,
  finishes,
  handled,
  refuses,
  save,
  submit,
  way,
  type Ground,
  type Step,
} from './steps.ts';

/** One record and its steps, one after the other, each under its own key. */
export interface Life {
  kind: string;
  key: string;
  /** The title by which its record is found. */
  title: string;
  steps: readonly Step[];
  /** The number of acknowledged steps. */
  done: number;
  /** The next step was sent, and no answer has come. */
  asked: boolean;
  id: number | null;
  ticket: number | null;
}

const place = { category: 'network', place: '一号楼', urgency: 'urgent', description: '漏水' };
const [deputy, second] = [cast.deputy, cast.second];

/** The first step of a service ticket, which creates it. */
const order = ({ repair }: Ground, title: string, transition_id = submit, amount = 300): Step => ({
  who: 'clerk',
  says: buttons[transition_id] ?? null,
  method: 'POST',
  path: '/api/tickets/',
  body: () => ({ workflow_id: repair, transition_id, title, ...place, amount }),
});

const letter = '公文';

/** All kinds of lives that a ticket may have here, and those of a document, a paper and a contract. */
const kinds: Record<string, (ground: Ground, title: string) => Step[]> = {
  草稿: (ground, title) => [order(ground, title, save), way('clerk', save, { place: '二号楼' }), way('clerk', submit)],
  删除: (ground, title) => [
    order(ground, title, save),
    { who: 'clerk', says: 'delete', method: 'DELETE', path: handled },
  ],
  办结: (ground, title) => [
    order(ground, title),
    way('head', agrees),
    action('worker', 'accept'),
    way('worker', finishes, { result: '已修好' }),
  ],
  退还: (ground, title) => [
    order(ground, title),
    way('head', agrees),
    action('worker', 'accept'),
    action('worker', 'release'),
    action('worker', 'accept'),
  ],
  拒绝: (ground, title) => [order(ground, title), way('head', refuses), way('clerk', submit), way('head', agrees)],
  批量: (ground, title) => [
    order(ground, title),
    {
      who: 'head',
      says: 'handle',
      method: 'PATCH',
      path: '/api/tickets/batch/',
      body: (ticket) => ({ ticket_ids: [ticket], action: 'agree' }),
    },
  ],
  转交: (ground, title) => [
    order(ground, title),
    action('head', 'deliver', { target_username: deputy }),
    way('deputy', agrees),
  ],
  委派: (ground, title) => [
    order(ground, title),
    action('head', 'delegate', { target_username: deputy }),
    action('deputy', 'add_node_end'),
    way('head', agrees),
  ],
  加签: (ground, title) => [
    order(ground, title),
    action('head', 'add_node', { target_username: [deputy, second], mode: 'all' }),
    action('deputy', 'add_node_end'),
    action('second', 'add_node_end'),
    way('head', agrees),
  ],
  并签: (ground, title) => [
    order(ground, title),
    action('head', 'add_node', { target_username: [deputy], type: 'parallel' }),
    way('head', agrees),
    way('deputy', refuses),
  ],
  撤回: (ground, title) => [
    order(ground, title),
    action('clerk', 'retreat'),
    way('clerk', submit),
    action('clerk', 'retreat'),
  ],
  收回: (ground, title) => [
    order(ground, title, submit, 9000),
    way('head', agrees),
    action('head', 'retreat'),
    way('head', refuses),
  ],
  退回: (ground, title) => [
    order(ground, title, submit, 9000),
    way('head', agrees),
    action('leader', 'return', { state_id: 2 }),
    way('head', agrees),
  ],
  关闭: (ground, title) => [
    order(ground, title),
    action('clerk', 'comment', { mentions: [second] }, 'comments'),
    action('head', 'cc', { target_username: [second] }),
    action('clerk', 'urge'),
    action('admin', 'close'),
  ],
  挂起: (ground, title) => [
    order(ground, title),
    action('head', 'suspend'),
    action('head', 'resume'),
    way('head', agrees),
  ],
  调整: (ground, title) => [
    order(ground, title),
    { who: 'admin', says: 'state', method: 'PUT', path: `${handled}state/`, body: () => ({ state_id: 4 }) },
    action('worker', 'accept'),
  ],
  [letter]: ({ rule }, title) => [
    {
      who: 'clerk',
      says: 'submit',
      method: 'POST',
      path: '/api/document/',
      body: () => ({
        doc_kind: 1,
        doc_type: 8,
        title,
        issue_org: '示范大学',
        main_send: [{ type: 'org', name: '各学院' }],
        body_html: '现将有关安排通知如下。',
        number_rule_id: rule,
        submit: true,
      }),
    },
    way('head', agrees),
  ],
  制度: ({ category, dept }, title) => [
    {
      who: 'librarian',
      says: null,
      method: 'POST',
      path: '/api/folder/papers/',
      body: () => ({
        title,
        category_id: category,
        dept,
        publish_date: '2026-03-01',
        content: '第一条 总则',
        scope: { all: true },
      }),
    },
    { who: 'librarian', says: null, method: 'PUT', path: '/api/folder/papers/{id}/', body: () => ({ status: 1 }) },
  ],
  合同: contractLife,
  用印: sealLife,
};

export const kindsOfLife = Object.keys(kinds);

export function newLife(ground: Ground, chance: Chance, key: string): Life {
  const kind = chance.pick(kindsOfLife);
  const title = kind === letter ? `关于${key}的通知` : key;
  return { kind, key, title, steps: kinds[kind]!(ground, title), done: 0, asked: false, id: null, ticket: null };
}

const wordless: ReadonlySet<string | null> = new Set([null, 'accept', 'delete']);
/** The comment of a step, by which the log is compared with the steps; '' if it has none. */
export const wordsOf = (life: Life, at: number) =>
  wordless.has(life.steps[at]?.says ?? null) ? '' : `${life.key} ${at + 1}`;
