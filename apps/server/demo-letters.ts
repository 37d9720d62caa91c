import { docKind, docLevel, docType } from '#modules/office/documents/contract/shapes.ts';
/** `lead_dept` is the department's code. */
type Step = readonly [username: string, transition: number, suggestion: string, fields?: Record<string, unknown>];

/** A document of the demonstration: its fields, and the steps that people took. */
export interface DemoDocument {
  author: string;
  /** The number of days since it was started. */
  days: number;
  doc_kind: 1 | 2 | 3;
  doc_type: number;
  title: string;
  body_html?: string;
  main_send?: { type: 'org'; name: string }[];
  from_org?: string;
  from_number?: string;
  level?: number;
  submit?: boolean;
  steps: readonly Step[];
  given?: {
    depts: readonly string[];
    note: string;
    need_receipt: boolean;
    daysLeft: number;
    read: readonly (readonly [username: string, reply: string])[];
  };
}

const heads = {
  'zeng.siyuan': ['wang.liping', 'xu.wenqing'],
  'dong.haoran': ['zheng.yonghui', 'xu.wenqing'],
  'shen.lijuan': ['guo.zhenhua', 'gao.jianjun'],
  'yao.lei': ['liang.zhiqiang', 'gao.jianjun'],
} as const;
type Author = keyof typeof heads;

/** The steps of 发文, up to the given number. */
const sending = (author: Author, steps = 8): Step[] => {
  const all: Step[] = [
    [heads[author][0], 3, '同意'],
    ['zhao.yan', 7, '格式已核', { issuer: 'zhou.zhiyuan' }],
    [heads[author][1], 9, '同意'],
    ['zhou.zhiyuan', 11, '同意，请印发'],
    ['zhao.yan', 13, '与签发稿一致'],
    ['zhao.yan', 15, ''],
    ['chen.guodong', 16, '已用印'],
    ['zhao.yan', 17, '已印发'],
  ];
  return all.slice(0, steps);
};
const colleges = [{ type: 'org' as const, name: '各学院、各部门' }];

const paragraphs = (body: string) =>
  body
    .split('\n')
    .map((one) => `<p>${one}</p>`)
    .join('');

const letter = (author: Author, days: number, title: string, body: string, steps = 8): DemoDocument => ({
  author,
  days,
  doc_kind: docKind.sending,
  doc_type: docType.notice,
  title,
  body_html: paragraphs(body),
  main_send: colleges,
  steps: sending(author, steps),
});
const memo = (author: Author, days: number, title: string, body: string, steps: number): DemoDocument => ({
  author,
  days,
  doc_kind: docKind.memo,
  doc_type: docType.other,
  title,
  body_html: paragraphs(body),
  steps: (
    [
      [heads[author][0], 3, '情况属实，同意'],
      [heads[author][1], 7, '同意'],
      ['zhou.zhiyuan', 9, '同意'],
    ] as const
  ).slice(0, steps),
});
const incoming = (
  days: number,
  from: readonly [string, string],
  title: string,
  [lead, handler]: readonly [dept: string, head: string],
  steps: number,
): DemoDocument => ({
  author: 'sun.jiahui',
  days,
  doc_kind: docKind.receiving,
  doc_type: docType.notice,
  title,
  from_org: from[0],
  from_number: from[1],
  steps: (
    [
      ['zhao.yan', 3, '符合行文规则'],
      ['chen.guodong', 5, '拟请承办部门研究提出意见', { leaders: ['zhou.zhiyuan'], lead_dept: lead }],
      ['zhou.zhiyuan', 6, '请按要求办理'],
      [handler, 8, '已按要求报送'],
      ['zhao.yan', 9, '已答复'],
    ] as const
  ).slice(0, steps),
});

export const demoDocuments: DemoDocument[] = [
  {
    ...letter(
      'shen.lijuan',
      26,
      '关于做好冬季安全生产工作的通知',
      '冬季将至，各部门要开展一次用电、用气、取暖设备的全面检查，发现隐患立即整改，并于月底前报送检查情况。值班人员须保持通讯畅通。',
    ),
    level: docLevel.urgent,
    given: {
      depts: ['RSC', 'CWC', 'JWC', 'XSC', 'HQC', 'XXZX', 'JG'],
      note: '请各部门传达到每位职工',
      need_receipt: false,
      daysLeft: 5,
      read: [
        ['wang.liping', ''],
        ['zeng.siyuan', ''],
        ['zheng.yonghui', '已组织自查'],
        ['dong.haoran', ''],
        ['guo.zhenhua', '已部署，月底前报送'],
        ['luo.dayong', ''],
        ['jia.shunli', ''],
        ['liang.zhiqiang', ''],
        ['han.xueying', ''],
        ['yang.haitao', ''],
      ],
    },
  },
  {
    ...letter(
      'zeng.siyuan',
      18,
      '关于印发《教职工考勤管理办法》的通知',
      '《教职工考勤管理办法》已经校长办公会审议通过，现印发给你们，请认真组织学习并遵照执行。原有规定与本办法不一致的，以本办法为准。',
    ),
    given: {
      depts: ['RSC', 'CWC', 'HQC', 'JSJ', 'JG'],
      note: '请部门负责人签收后组织学习',
      need_receipt: true,
      daysLeft: 3,
      read: [
        ['wang.liping', '已签收，本周组织学习'],
        ['song.mingjie', ''],
        ['guo.zhenhua', ''],
        ['peng.lihua', ''],
      ],
    },
  },
  letter(
    'dong.haoran',
    40,
    '关于开展年度预算编制工作的通知',
    '请各部门按照附表要求编制下一年度预算，于规定时间内报送财务处汇总。',
  ),
  letter('yao.lei', 33, '关于校园网出口扩容期间服务调整的通知', '扩容期间每日 0 时至 6 时部分线路中断，请提前安排。'),
  letter('zeng.siyuan', 29, '关于组织教职工年度体检的通知', '体检时间、地点和分批安排见附件，请各部门按批次组织。'),
  letter(
    'shen.lijuan',
    12,
    '关于冬季供暖时间安排的通知',
    '本年度供暖自 11 月 15 日开始，室温不达标的请通过报修系统反映。',
  ),
  letter(
    'dong.haoran',
    9,
    '关于调整差旅费报销流程的通知',
    '自下月起差旅费报销改为线上提交，纸质票据由部门集中送审。',
    7,
  ),
  letter('yao.lei', 7, '关于开展网络安全自查的通知', '请各部门对所属网站和信息系统进行自查，并填写自查表。', 4),
  letter(
    'zeng.siyuan',
    5,
    '关于做好职称评审材料报送工作的通知',
    '申报人须在系统中提交材料，部门审核后统一报送人事处。',
    2,
  ),
  letter('shen.lijuan', 3, '关于规范车辆进出校园管理的通知', '外来车辆须提前预约，校内车辆凭通行证进出。', 1),
  letter('dong.haoran', 2, '关于清理往来款项的通知', '请各部门核对往来款项，逾期未清的说明原因。', 0),
  {
    ...letter('yao.lei', 6, '关于更换办公电话的通知', '部分办公电话将于下周更换号码，新号码见附件。', 0),
    steps: [['liang.zhiqiang', 4, '请补充新旧号码对照表']],
  },
  { ...letter('zeng.siyuan', 1, '关于寒假值班安排的通知', '草稿，待补充值班表。', 0), submit: false },
  memo(
    'shen.lijuan',
    21,
    '关于更新食堂冷库设备的签报',
    '食堂冷库使用已满十年，故障频发，拟更新两组制冷设备，预算十二万元。',
    3,
  ),
  memo('yao.lei', 14, '关于续签机房维保合同的签报', '机房维保合同将于年底到期，拟续签一年，费用不变。', 3),
  memo('dong.haoran', 4, '关于聘请会计师事务所的签报', '拟按采购程序聘请会计师事务所开展年度决算审计。', 1),
  memo('zeng.siyuan', 2, '关于选派教师参加培训的签报', '拟选派三名教师参加师资培训，费用从培训经费列支。', 0),
  incoming(24, ['省教育厅', '教办函〔2026〕88号'], '关于报送教师队伍建设情况的通知', ['RSC', 'wang.liping'], 5),
  incoming(10, ['市消防救援支队', '消发〔2026〕31号'], '关于开展校园消防安全检查的通知', ['HQC', 'guo.zhenhua'], 3),
  incoming(3, ['省财政厅', '财综〔2026〕17号'], '关于编报国有资产年报的通知', ['CWC', 'zheng.yonghui'], 1),
];

/** The categories of documents; `own` is the index of the agency code that numbers their letters. */
export const demoCategories = [
  { name: '学校发文', code: 'XF', doc_kind: docKind.sending, order_id: 1, own: 0, retention: 2 },
  { name: '办公室发文', code: 'BF', doc_kind: docKind.sending, order_id: 2, own: 1, retention: 3 },
  { name: '上级来文', code: 'SJ', doc_kind: docKind.receiving, order_id: 3, retention: 2 },
  { name: '平级来文', code: 'PJ', doc_kind: docKind.receiving, order_id: 4, retention: 3 },
  { name: '经费签报', code: 'JF', doc_kind: docKind.memo, order_id: 5, retention: 3 },
];

const all = { recipients: { all: true } };
export const demoNotices = [
  {
    ...all,
    title: '公文格式和报送要求',
    content:
      '发文请使用统一模板，标题写明事由和文种，附件随文一并上传。\n请示一文一事，主送一个机关，并写明联系人和电话。',
    top: true,
    read: ['zeng.siyuan', 'dong.haoran', 'wang.liping', 'zhao.yan', 'shen.lijuan'],
  },
  {
    ...all,
    title: '年底前公文办理时间安排',
    content: '需在年内印发的公文，请于 12 月 18 日前提交部门核稿，逾期顺延至下一年度编号。',
    need_receipt: true,
    read: ['wang.liping', 'guo.zhenhua', 'zheng.yonghui'],
  },
  {
    ...all,
    title: '分发阅读功能启用',
    content: '办结的公文由党政办公室在系统内分发，请在“分发阅读”中查看；需要签收的，请点“签收”。',
    read: ['zhao.yan', 'sun.jiahui'],
  },
];
