import { leastCost } from '#kernel/server/testing/cost.ts';
import { describe, expect, test } from 'vitest';
import { documentRules, linesOf } from '../contract/rules.ts';
import { warningsOf } from '../rules/rules.ts';
import type { Checked } from './found.ts';
import { checksOf, fixesOf } from './check.ts';
import { chinese, fromChinese } from './levels.ts';

const letter: Checked = {
  doc_kind: 1,
  doc_type: 8,
  title: '关于做好考试工作的通知',
  doc_number: '校发〔2026〕1号',
  from_number: '',
  issue_org: '某某大学',
  joint_orgs: [],
  joint_issuers: [],
  main_send: [{ type: 'org', name: '各学院' }],
  copy_send: [],
  body_html: '<p>现将有关事项通知如下。</p><p>一、时间</p><p>（一）期中考试。</p><p>1. 笔试。</p><p>（1）闭卷。</p>',
  bodyIsFile: false,
  attachments: [],
  annotation: '',
  contact_name: '',
  contact_phone: '',
  upward: false,
  hasIssuer: false,
  signed: true,
  written_date: '2026-03-01',
  print_org: '某某大学办公室',
  print_date: '2026-03-01',
  unprintable: [],
  asking: linesOf(documentRules.defaults.asking),
  today: '2026-03-01',
};
const codes = (changes: Partial<Checked>) => checksOf({ ...letter, ...changes }).map((one) => one.code);
const fixed = (changes: Partial<Checked>) => {
  const doc = { ...letter, ...changes };
  return fixesOf(doc, checksOf(doc));
};
const body = (...paragraphs: string[]) => ({ body_html: paragraphs.map((text) => `<p>${text}</p>`).join('') });

describe('the layout checker', () => {
  test('checks an order for a title ending with 令, a signer, a number without a code and no addressee', () => {
    const order = { doc_type: 3, title: '某某大学令', main_send: [], doc_number: '第12号', hasIssuer: true };
    expect(codes(order)).toEqual([]);
    expect(codes({ ...order, hasIssuer: false })).toEqual(['issuer_missing']);
    expect(codes({ ...order, doc_number: '校令2026第12号' })).toEqual(['number_form']);
    expect(fixed({ ...order, title: '某某大学命令文' })).toEqual({});
    expect(codes({ ...order, title: '关于校庆的决定' })).toEqual(['title_type']);
  });

  test('finds nothing in a correct letter', () => {
    expect(checksOf(letter)).toEqual([]);
  });

  test('requires numbers with hexagonal brackets, without 第 and leading zeros', () => {
    expect(fixed(body('根据校发[2026]第012号和教办(2025)3号文件。'))).toEqual({
      body_html: '<p>根据校发〔2026〕12号和教办〔2025〕3号文件。</p>',
    });
    expect(codes({ doc_number: '校发[2026]1号' })).toContain('number_form');
  });

  test('requires levels in the order 一、 （一） 1. （1） without gaps', () => {
    expect(codes(body('一、时间', '（1）笔试。'))).toEqual(['level_skipped']);
    expect(codes(body('（一）时间'))).toEqual(['level_skipped']);
    expect(codes(body('一、时间', '（一）甲', '二、地点', '（一）乙'))).toEqual([]);
  });

  test('accepts lists that begin with 1. anywhere and repeatedly', () => {
    for (const list of [
      body('1. 笔试。', '2. 面试。'),
      body('一、时间', '1. 笔试。', '2. 面试。', '另有两项：', '1. 体检。', '2. 政审。'),
      body('一、时间', '（一）甲', '1. 笔试。', '（1）闭卷。', '1. 面试。'),
      { body_html: '<p>要求如下：</p><ol><li>笔试。</li><li>面试。</li></ol><p>再者：</p><ol><li>体检。</li></ol>' },
      body('3.5万元用于购置设备。', '2026.3版目录继续使用。'),
    ])
      expect(codes(list), list.body_html).toEqual([]);
    expect(codes(body('一、时间', '1. 笔试。', '3. 面试。'))).toEqual(['level_order']);
  });

  test('ignores text that only looks like a date', () => {
    for (const text of [
      '执行GB/T 9704-2012-13标准。',
      '见https://www.example.edu.cn/2026/03/01/notice.html页面。',
      '固件版本2026.13.45，地址2026.1.1.8。',
      '附表“校历2026-03-01.xlsx”随文印发。',
      '《二〇〇八年五月十二日抗震救灾纪念章程》继续有效。',
    ])
      expect(codes(body(text)), text).toEqual([]);
    expect(codes(body('自2026-03-01起执行。'))).toEqual(['date_form']);
  });

  test('accepts attachments that are called a list of attachments or begin with a date or a figure', () => {
    for (const name of ['附件名单', '附件材料目录', '3.15活动方案', '2026.3校历', '12.9歌会安排'])
      expect(codes({ ...body('安排见附件。'), attachments: [name] }), name).toEqual([]);
    expect(codes(body('附件名单由各学院保存。'))).toEqual([]);
    for (const name of ['附件1 安排表', '附件：安排表', '附件一：安排表', '2、安排表', '3.安排表'])
      expect(codes({ ...body('安排见附件。'), attachments: [name] }), name).toEqual(['attachment_number']);
  });

  test('requires for a joint upward letter a signer of each organisation', () => {
    const joint = {
      doc_type: 10,
      title: '关于共建的报告',
      upward: true,
      hasIssuer: true,
      joint_orgs: ['某某省教育厅'],
    };
    expect(codes({ ...joint, joint_issuers: [] })).toEqual(['issuer_fewer']);
    expect(codes({ ...joint, joint_issuers: ['李四'] })).toEqual([]);
  });

  test('requires the numbers of a level to be consecutive and correctly written', () => {
    expect(fixed(body('一、时间', '三、地点', '五、其他'))).toEqual({
      body_html: '<p>一、时间</p><p>二、地点</p><p>三、其他</p>',
    });
    expect(fixed(body('一.时间', '(一)、甲', '1、乙', '(1)丙'))).toEqual({
      body_html: '<p>一、时间</p><p>（一）甲</p><p>1. 乙</p><p>（1）丙</p>',
    });
  });

  test('requires dates with Arabic digits and without leading zeros', () => {
    expect(fixed(body('自2026.03.01起，至2026年04月05日止，二〇二六年十二月二十日公布。'))).toEqual({
      body_html: '<p>自2026年3月1日起，至2026年4月5日止，2026年12月20日公布。</p>',
    });
  });

  test('requires full-width punctuation between Chinese characters, and leaves addresses alone', () => {
    expect(fixed(body('请各学院,各部门(含附属单位)于本周报送:一式两份. 邮箱 a.b@c.cn, tel: 1')).body_html).toBe(
      '<p>请各学院，各部门（含附属单位）于本周报送：一式两份。 邮箱 a.b@c.cn, tel: 1</p>',
    );
  });

  test('leaves mark-up unchanged in every fix', () => {
    const html = '<p style="text-align:center"><strong>(一)、甲</strong>,乙 &amp; 丙;丁</p>';
    expect(fixed({ body_html: `<p>一、总</p>${html}` }).body_html).toBe(
      '<p>一、总</p><p style="text-align:center"><strong>（一）甲</strong>,乙 &amp; 丙；丁</p>',
    );
  });

  test('requires a title that ends with its type and without punctuation', () => {
    expect(fixed({ title: '关于做好考试工作。' })).toEqual({ title: '关于做好考试工作的通知' });
    expect(codes({ title: '做好考试工作的通知' })).toEqual(['title_about']);
    expect(codes({ title: `关于${'做好'.repeat(30)}的通知` })).toEqual(['title_long']);
  });

  test('requires an addressee, and refuses copies to somebody already addressed', () => {
    expect(codes({ main_send: [] })).toEqual(['main_missing']);
    expect(codes({ main_send: [], doc_type: 6, title: '关于停电的通告' })).toEqual([]);
    expect(fixed({ copy_send: [{ type: 'org', name: '各学院' }] })).toEqual({ copy_send: [] });
    expect(fixed({ main_send: [{ type: 'org', name: '各学院：' }] })).toEqual({
      main_send: [{ type: 'org', name: '各学院' }],
    });
  });

  test('requires the attachments named in the text to be those attached', () => {
    expect(codes(body('安排见附件。', '附件：1.安排表'))).toEqual(['note_typed', 'note_none']);
    expect(codes({ ...body('安排见附件3。'), attachments: ['安排表'] })).toEqual(['note_fewer']);
    expect(codes({ ...body('安排见附件1。'), attachments: ['安排表'] })).toEqual([]);
    expect(codes({ attachments: ['1. 安排表。'] })).toEqual(['attachment_mark']);
    expect(codes({ attachments: ['2. 安排表', '1. 名单'] }), 'numbered otherwise than they lie').toEqual([
      'attachment_number',
      'attachment_number',
    ]);
  });

  test('requires of a request one addressee, a contact, a signer and a demand, and of a report no demand', () => {
    const request = { doc_type: 11, title: '关于购置设备的请示', upward: true };
    const two = [...letter.main_send, { type: 'org' as const, name: '教务处' }];
    expect(codes({ ...request, main_send: two })).toEqual([
      'request_one',
      'request_contact',
      'request_end',
      'issuer_missing',
    ]);
    expect(fixed(request).body_html).toMatch(/<p>妥否，请批示。<\/p>$/);
    const report = { doc_type: 10, title: '关于工作的报告', hasIssuer: true, upward: true };
    expect(codes({ ...report, ...body('以上妥否，请批示。') })).toEqual(['report_asks']);
  });

  test('requires a printing block and a date on a numbered document', () => {
    expect(fixed({ print_org: '', print_date: null })).toEqual({
      print_org: '某某大学办公室',
      print_date: '2026-03-01',
    });
    expect(checksOf({ ...letter, print_org: '', doc_number: '' })[0]?.severity).toBe('warning');
    expect(codes({ written_date: null })).toEqual(['date_missing']);
  });

  test('finds none of its fixable faults again after applying all fixes', () => {
    const doc = {
      ...letter,
      ...body('一、时间,地点', '三.其他：见校发(2026)07号', '　　2026-03-01施行.'),
      title: '关于考试工作',
    };
    const after = fixesOf(doc, checksOf(doc)) as { title: string; body_html: string };
    expect(checksOf({ ...doc, title: after.title, body_html: after.body_html }).filter((one) => one.mend)).toEqual([]);
  });

  test.each([
    ['brackets that stay open', `(${'汉'.repeat(20_000)}`],
    ['quotation that stays open', `"${'汉'.repeat(20_000)}`],
    ['zeros of a number', `校发〔2026〕${'0'.repeat(20_000)}`],
    ['things asked for', '。另'.repeat(1500)],
  ])('costs time in proportion to the text: %s', async (_what, text) => {
    const check = () => {
      codes(body(text));
      warningsOf({ title: '关于经费的请示', doc_type: 11, ...body(text) }, []);
    };
    expect(await leastCost(check, 1)).toBeLessThan(5000);
  });

  test('warns that a request may ask for two things', () => {
    const said = (text: string) => warningsOf({ title: '关于经费的请示', doc_type: 11, ...body(text) }, []);
    expect(said('申请经费。另，人手不足，一并申请。')).toEqual(['正文里可能不止一个请示事项，请示应当一文一事']);
    for (const one of ['另，申请经费。', '申请经费。另有附件。', '申请。同时报送材料。']) expect(said(one)).toEqual([]);
  });

  test('reads Chinese numerals as they are written', () => {
    for (let value = 1; value < 100; value += 1) expect(fromChinese(chinese(value))).toBe(value);
  });
});
