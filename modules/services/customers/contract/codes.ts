export const types = { 1: '企业', 2: '学校', 3: '政府', 4: '其他' } as const;
export const levels = { 1: '重点', 2: '普通', 3: '潜在' } as const;
export const statuses = { 1: '合作中', 2: '潜在', 3: '暂停', 4: '终止' } as const;
export const projectStatuses = { 1: '进行中', 2: '运维', 3: '暂停', 4: '结束' } as const;
export const serviceLevels = { 1: '5×8', 2: '7×24' } as const;
export const ways = { 1: '上门', 2: '电话', 3: '线上', 4: '来访', 5: '其他' } as const;
/** Phone numbers somebody may have shown in a day. */
export const numbersADay = 50;
