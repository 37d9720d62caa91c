import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choiceTree, flatChoices, isWholePath, pathWords, treeText, typedTree } from './choice-tree.ts';
import { regions } from './regions.ts';

const typed = '电脑\n  台式机\n  笔记本\n打印机\n';

test('a cascade is edited as indented lines, and chosen options keep their value when others are inserted', () => {
  const first = typedTree(typed, []);
  expect(treeText(choiceTree(first))).toBe(typed);
  const more = typedTree('电脑\n  平板\n  台式机\n  笔记本\n扫描仪\n打印机\n', first);
  const value = (all: typeof first, label: string) => all.find((one) => one.label === label)?.value;
  for (const label of ['电脑', '台式机', '笔记本', '打印机']) expect(value(more, label)).toBe(value(first, label));
  expect(new Set(more.map((one) => one.value)).size).toBe(more.length);
  expect(flatChoices(choiceTree(more)).map(({ label }) => label)).toContain('电脑 / 平板');
});

test('every option of a typed cascade can be reached, and no two are the same', () => {
  const line = fc
    .tuple(fc.nat(4), fc.constantFrom('甲', '乙', '丙'))
    .map(([depth, label]) => '  '.repeat(depth) + label);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 30 }), (before, after) => {
      const choices = typedTree(after.join('\n'), typedTree(before.join('\n'), []));
      expect(new Set(choices.map((one) => one.value)).size).toBe(choices.length);
      expect(flatChoices(choiceTree(choices))).toHaveLength(choices.length);
    }),
  );
});

test('a cascade’s path is complete at an option without children, or at the required level', () => {
  const nodes = choiceTree(typedTree(typed, []));
  const [pc, desk] = [nodes[0]!.value, nodes[0]!.children![0]!.value];
  expect([[pc], [pc, desk], [desk], [], [pc, desk, desk]].map((path) => isWholePath(nodes, path))).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
  expect([1, 2, 3].map((levels) => isWholePath(regions, ['440000', '440300'], levels))).toEqual([false, true, false]);
});

test('every region has three levels and a code within its province, and a municipality is named once', () => {
  const codes: string[] = [];
  for (const province of regions)
    for (const city of province.children ?? [])
      for (const district of city.children ?? []) {
        expect(district.children).toBeUndefined();
        expect([city.value, district.value].every((code) => code.startsWith(province.value.slice(0, 2)))).toBe(true);
        codes.push(district.value);
      }
  expect([regions.length, new Set(codes).size === codes.length, codes.length > 2800]).toEqual([34, true, true]);
  expect(pathWords(['北京市', '北京市', '东城区'])).toBe('北京市 / 东城区');
});
