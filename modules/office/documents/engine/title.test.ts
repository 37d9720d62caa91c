import { expect, test } from 'vitest';
import { composed } from './title.ts';

test('a title is completed from its subject and type, keeps its issuer, and a complete title is left alone', () => {
  const notice = 8;
  for (const [typed, whole] of [
    ['做好寒假值班工作', '关于做好寒假值班工作的通知'],
    ['做好寒假值班工作的通知', '关于做好寒假值班工作的通知'],
    ['关于做好寒假值班工作', '关于做好寒假值班工作的通知'],
    ['某某大学关于做好寒假值班工作', '某某大学关于做好寒假值班工作的通知'],
  ] as const)
    expect(composed(typed, notice)).toBe(whole);
  for (const done of ['关于做好寒假值班工作的通知', '某某大学关于放假的通知', '', '做'])
    expect(composed(done, notice)).toBeNull();
  for (const free of [3, 15, 99]) expect(composed('第一号', free)).toBeNull();
  for (const [title, type] of [
    ['关于购置设备的复函', 14],
    ['某某大学关于召开会议的紧急通知', 8],
    ['关于考试安排的补充通知', 8],
    ['关于年度工作情况的报告', 10],
  ] as const)
    expect([title, composed(title, type)]).toEqual([title, null]);
  expect(composed('关于考试安排通知', 8)).toBe('关于考试安排的通知');
  expect(composed('考试安排的补充通知', 8)).toBe('关于考试安排的补充通知');
  expect(composed('关于考试的(*)通知', 8)).toBeNull();
});
