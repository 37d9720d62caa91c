import { getTableConfig, integer, PgDialect, pgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { pinyinOf } from './pinyin.ts';
import { matches, searchColumn, searchIndex, searchQuery, searchVector } from './search.ts';

test('Chinese text is indexed as pairs with positions and its last character', () => {
  expect(searchVector({ texts: ['会议室'] })).toBe("'会议':1 '议室':2 '室':3");
  expect(searchQuery('会议')).toBe("'会议'");
  expect(searchQuery('会议室')).toBe("('会议' <-> '议室')");
  expect(searchQuery('室')).toBe("'室':*");
});

test('separate texts are indexed apart, so that no phrase spans two of them', () => {
  expect(searchVector({ texts: ['会议', null, '议室'] })).toBe("'会议':1 '议':2 '议室':12 '室':13");
});

test('words of letters and digits match by prefix in any width and case, and all words must match', () => {
  expect(searchQuery('ＨＴ-2026 会议 Ａ1')).toBe("'ht':* & '2026':* & '会议' & 'a1':*");
  expect(searchVector({ texts: ['ABC１２ 设备Ａ'] })).toBe("'abc12' '设备':7 '备':8 'a'");
});

test('the end of a long number is indexed, also of a code with separators', () => {
  expect(searchVector({ texts: ['SN20260012'] }).split(' ')).toEqual(
    ['sn20260012', '20260012', '0260012', '260012', '60012', '0012'].map((w) => `'${w}'`),
  );
  expect(searchVector({ texts: ['2026'] })).toBe("'2026'");
  expect(searchVector({ texts: [], codes: ['HT-26-01'] })).toBe("'ht' '26' '01' 'ht2601'");
});

test('names are found by pinyin, later syllables, initials and both readings of a surname', () => {
  expect(pinyinOf('张三')).toEqual(['zhangsan', 'zs', 'san', 's']);
  expect(pinyinOf('单雄信')).toEqual(expect.arrayContaining(['shanxiongxin', 'danxiongxin', 'sxx', 'dxx']));
  expect(pinyinOf('曾国藩')).toContain('zengguofan');
  expect(pinyinOf('吕布')).toContain('lvbu');
  expect(pinyinOf('重庆财务科')).toEqual(expect.arrayContaining(['chongqingcaiwuke', 'caiwuke', 'cwk']));
  expect(pinyinOf('Tom 2')).toEqual([]);
});

test('an empty search filters nothing, and one without searchable characters finds nothing', () => {
  const table = pgTable('thing', { id: integer('id'), search: searchColumn() }, (t) => [
    searchIndex('thing_search', t.search),
  ]);
  const toQuery = (value: string) => new PgDialect().sqlToQuery(matches(table.search, value)!);
  expect(matches(table.search, ' \u3000')).toBeUndefined();
  expect(toQuery("'!&|\\，。").sql).toBe('false');
  expect(toQuery("会议' | '室")).toMatchObject({
    sql: '"thing"."search" @@ $1::tsquery',
    params: ["'会议' & '室':*"],
  });
  expect(getTableConfig(table).indexes[0]!.config).toMatchObject({ name: 'thing_search', method: 'gin' });
});
