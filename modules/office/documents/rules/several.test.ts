import { leastCost } from '#kernel/server/testing/cost.ts';
import { expect, test } from 'vitest';
import { namesSeveral } from './several.ts';

const one = [
  // The conjunction is part of a place name, or of another word.
  '和田市教育局',
  '新疆维吾尔自治区和田地区行政公署',
  '省教育厅和田援疆办公室',
  '呼和浩特市教育局',
  '内蒙古自治区呼和浩特市人民政府',
  '沈阳市和平区教育局',
  '市公安局和平分局',
  '市公安局和平区分局',
  '市人民法院和平里派出法庭办公室',
  '共和县人民政府',
  '和县教育局',
  '和静县教育局',
  '山西省和顺县教育局',
  '太和县教育局',
  '中国社会科学院和谐社会研究院',
  '市中级人民法院和解中心',
  '普及法律常识办公室',
  // The conjunction joins two fields of one organisation.
  '省发展和改革委员会',
  '国家发展和改革委员会',
  '省住房和城乡建设厅',
  '人力资源和社会保障部',
  '工业和信息化部',
  '文化和旅游部',
  '省文化广电和旅游局',
  '教育科学与技术局',
  '省人大教育与科学委员会',
  '省财政厅政府和社会资本合作中心',
  '省空间布局与规划研究院',
  '东部和西部协作办公室',
  '公办与民办学校管理处',
  '学校与幼儿园管理处',
  '军队和国家离退休干部管理局',
  '社会和谐促进会',
  '人口与计划生育委员会',
  '城乡社会与经济调查队',
  '教育厅干部与人事处',
  '省教育厅',
];
const several = [
  '省教育厅和省财政厅',
  '省教育厅与省财政厅',
  '省教育厅及省财政厅',
  '省教育厅以及省财政厅',
  '省教育厅及其直属单位',
  '省教育厅并省财政厅',
  '省农业农村厅和林业厅',
  '市教育局和县教育局',
  '省委和政协办公厅',
  '市教育局和政府办公室',
  '北京大学和清华大学',
  '第一中学与第二中学',
  '省发展和改革委员会和省财政厅',
  '省财政厅和省发展和改革委员会',
  '和田市教育局和和田市财政局',
  '和平区教育局与和平区财政局',
  '呼和浩特市教育局及包头市教育局',
  '市公安局和消防救援支队',
  '第一医院与第二医院',
  '省总工会和省妇女联合会',
  '甲有限公司和乙有限公司',
  '教务处和图书馆',
  '省厅、市局',
  '省厅，市局',
  '各学院',
  '省教育厅 省财政厅',
  '省教育厅/省财政厅',
];

test.each(one)('%s counts as one addressee', (name) => expect(namesSeveral(name)).toBe(false));
test.each(several)('%s counts as several addressees', (name) => expect(namesSeveral(name)).toBe(true));

test('an adversarial name of joining words is analysed without exponential cost', async () => {
  const look = () => {
    for (let at = 0; at < 100; at += 1) namesSeveral('厅和'.repeat(50));
  };
  // A backtracking pattern would take hours here.
  expect(await leastCost(look, 1)).toBeLessThan(2000);
});
