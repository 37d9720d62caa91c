/** A department of the demonstration school: below `parent`, with the user names of its head, leader in charge and secretary. */
export interface DemoDept {
  code: string;
  name: string;
  parent?: string;
  /** 1 administration, 2 teaching. */
  type: 1 | 2;
  phone: string;
  room: string;
  head: string;
  leader: string;
  secretary?: string;
}

const dept = (
  code: string,
  name: string,
  type: 1 | 2,
  extension: string,
  room: string,
  [head, leader, secretary]: readonly [string, string, string?],
  parent?: string,
): DemoDept => ({
  code,
  name,
  type,
  phone: `0591-8386${extension}`,
  room,
  head,
  leader,
  ...(secretary ? { secretary } : {}),
  ...(parent ? { parent } : {}),
});

/** Parents before children. */
export const demoDepts: DemoDept[] = [
  dept('XLD', '校领导', 1, '1001', '行政楼 8', ['zhou.zhiyuan', 'zhou.zhiyuan', 'lin.xiaoyue']),
  dept('DZB', '党政办公室', 1, '1010', '行政楼 6', ['chen.guodong', 'zhou.zhiyuan', 'lin.xiaoyue']),
  dept('MSK', '秘书科', 1, '1012', '行政楼 6', ['lin.xiaoyue', 'zhou.zhiyuan'], 'DZB'),
  dept('RSC', '人事处', 1, '1020', '行政楼 5', ['wang.liping', 'xu.wenqing', 'he.jing']),
  dept('CWC', '财务处', 1, '1030', '行政楼 3', ['zheng.yonghui', 'xu.wenqing', 'he.jing']),
  dept('JWC', '教务处', 2, '1040', '行政楼 4', ['huang.jianping', 'liu.hanlin', 'sun.meiqi']),
  dept('KWK', '考务科', 2, '1042', '行政楼 4', ['wu.xiaofeng', 'liu.hanlin'], 'JWC'),
  dept('XSC', '学生工作处', 2, '1050', '学生中心 2', ['yang.haitao', 'liu.hanlin', 'sun.meiqi']),
  dept('HQC', '后勤保障处', 1, '1060', '后勤楼 2', ['guo.zhenhua', 'gao.jianjun', 'tang.yuting']),
  dept('WXK', '维修科', 1, '1062', '后勤楼 1', ['luo.dayong', 'gao.jianjun'], 'HQC'),
  dept('XXZX', '信息中心', 1, '1070', '图书馆 5', ['liang.zhiqiang', 'gao.jianjun', 'tang.yuting']),
  dept('JSJ', '计算机学院', 2, '1080', '信息楼 3', ['song.mingjie', 'liu.hanlin', 'deng.yawen']),
  dept('JG', '经济管理学院', 2, '1090', '文科楼 4', ['han.xueying', 'xu.wenqing', 'deng.yawen']),
];

export interface DemoPerson {
  username: string;
  alias: string;
  dept: string;
  post: string;
  gender: '男' | '女';
  roles: readonly string[];
  beside?: string;
}

// User name, name, gender (1 男, 2 女), department, post, roles in addition to the one of all staff, further department.
const rows = `
zhou.zhiyuan 周志远 1 XLD 校长 xld
xu.wenqing 徐文清 2 XLD 副校长 xld,dept_ld
liu.hanlin 刘翰林 1 XLD 副校长 xld,dept_ld
gao.jianjun 高建军 1 XLD 副校长 xld,dept_ld
chen.guodong 陈国栋 1 DZB 主任 dept_fzr,office_admin
zhao.yan 赵妍 2 DZB 副主任 office_admin,meet_manager
qian.weimin 钱伟民 1 DZB 督查专员 supervise_admin,legal
sun.jiahui 孙佳慧 2 DZB 文书 secretary,folder_admin,seal_keeper,publicity
lin.xiaoyue 林晓月 2 MSK 科长 dept_fzr,secretary
he.jing 何静 2 MSK 秘书 secretary,seal_keeper
sun.meiqi 孙美琪 2 MSK 秘书 secretary
tang.yuting 唐雨婷 2 MSK 秘书 secretary
deng.yawen 邓雅雯 2 JSJ 办公室秘书 secretary JG
wang.liping 王丽萍 2 RSC 处长 dept_fzr,org_admin
cao.ruifeng 曹瑞峰 1 RSC 副处长
peng.lihua 彭丽华 2 RSC 人事专员 org_admin
zeng.siyuan 曾思源 1 RSC 师资专员 foreign
zheng.yonghui 郑永辉 1 CWC 处长 dept_fzr,finance
xie.chunmei 谢春梅 2 CWC 副处长 finance
dong.haoran 董浩然 1 CWC 会计 finance,seal_keeper
yuan.xiaoting 袁晓婷 2 CWC 出纳 seal_keeper
pan.zhiwei 潘志伟 1 CWC 审计专员 auditor,seal_auditor
huang.jianping 黄建平 1 JWC 处长 dept_fzr
cai.wenjing 蔡文静 2 JWC 副处长
jiang.bo 蒋波 1 JWC 教学科员
yu.qianqian 余倩倩 2 JWC 学籍科员
wu.xiaofeng 吴晓峰 1 KWK 科长 dept_fzr
du.yuxin 杜雨欣 2 KWK 考务员
ye.zixuan 叶子轩 1 KWK 考务员
yang.haitao 杨海涛 1 XSC 处长 dept_fzr,activity_reviewer
cheng.lu 程璐 2 XSC 副处长 safety
su.jianing 苏佳宁 2 XSC 辅导员
wei.yichen 魏奕辰 1 XSC 辅导员
lv.minna 吕敏娜 2 XSC 资助专员
guo.zhenhua 郭振华 1 HQC 处长 dept_fzr
ding.aiguo 丁爱国 1 HQC 副处长 order_desk
ren.shuzhen 任淑珍 2 HQC 报修受理员 order_desk,seal_keeper
shen.lijuan 沈丽娟 2 HQC 合同管理员 contract_manager,seal_keeper
luo.dayong 罗大勇 1 WXK 科长 dept_fzr,order_desk
jia.shunli 贾顺利 1 WXK 水电工 order_handler
xia.tiezhu 夏铁柱 1 WXK 水电工 order_handler
fu.chunsheng 付春生 1 WXK 木工 order_handler
fang.zhigang 方志刚 1 WXK 空调技工 order_handler
liang.zhiqiang 梁志强 1 XXZX 主任 dept_fzr,workflow_admin
shi.yufei 石宇飞 1 XXZX 系统工程师 workflow_admin,customer_manager
yao.lei 姚磊 1 XXZX 网络工程师 customer_staff
lu.jiamin 卢嘉敏 2 XXZX 开发工程师 sms_admin
song.mingjie 宋明杰 1 JSJ 院长 dept_fzr
tian.xiaoyu 田晓宇 2 JSJ 副院长
fan.zhengyang 范正阳 1 JSJ 教授
shao.yilin 邵依琳 2 JSJ 副教授
qin.haoyu 秦浩宇 1 JSJ 讲师
kong.lingwei 孔令伟 1 JSJ 实验员 seal_keeper
bai.xue 白雪 2 JSJ 辅导员 seal_keeper
han.xueying 韩雪莹 2 JG 院长 dept_fzr
long.tianyu 龙天宇 1 JG 副院长
wan.jiayi 万佳怡 2 JG 教授
duan.haifeng 段海峰 1 JG 副教授
lei.mengyao 雷梦瑶 2 JG 讲师 alumni_admin
hou.zhenyu 侯振宇 1 JG 讲师 photo_admin
`;

export const demoPeople: DemoPerson[] = rows
  .trim()
  .split('\n')
  .map((row) => {
    const [username = '', alias = '', gender, dept = '', post = '', roles = '', beside] = row.split(' ');
    return {
      username,
      alias,
      dept,
      post,
      gender: gender === '1' ? '男' : '女',
      roles: ['staff', ...roles.split(',').filter((code) => code !== '')],
      ...(beside ? { beside } : {}),
    };
  });

/** Somebody who stands in for a colleague and therefore holds a role for some days only. */
export const demoStandIn = { username: 'lv.minna', role: 'alumni_admin', days: 20 } as const;

/** The leader of each secretary. */
export const demoSecretaries: readonly (readonly [secretary: string, leader: string])[] = [
  ['lin.xiaoyue', 'zhou.zhiyuan'],
  ['he.jing', 'xu.wenqing'],
  ['sun.meiqi', 'liu.hanlin'],
  ['tang.yuting', 'gao.jianjun'],
];

export const surnames = [...'王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林郑梁罗宋谢唐韩冯于董萧程曹袁邓许傅沈曾彭吕'];
export const givenNames = [
  ...'伟芳娜敏静丽强磊军洋勇艳杰涛明超霞平刚莹雪晨曦宁佳慧欣怡浩然宇轩子涵思远博文嘉琪梦瑶志鹏建国晓东海燕',
];
