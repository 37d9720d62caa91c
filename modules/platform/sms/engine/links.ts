/** Endings that make a host of something that would otherwise be a list number, or words without a blank in between. */
const usual = new Set(
  'com cn net org edu gov top xyz vip cc io me info shop site link club co app ltd tk ru'.split(' '),
);
const files = new Set(
  'doc docx dot dotx wps xls xlsx xlsm csv ppt pptx pps dps pdf ofd rtf txt log odt ods odp jpg jpeg png gif bmp tif tiff webp heic svg psd dwg dxf mp avi wav wmv flv mkv rar gz tar exe apk msi htm html xml json js css sql bak ini dat'.split(
    ' ',
  ),
);
/** Extensions of files, which count as hosts only if a path follows. */
const filesOrHosts = new Set(['zip', 'mov', 'et']);
const hanEndings =
  '中国|中國|公司|网络|網絡|在线|中文网|网址|网站|网店|商城|商店|移动|手机|集团|企业|信息|公益|政务|机构|组织机构|商标|我爱你|游戏|娱乐|购物|时尚|餐厅|食品|新闻|健康|招聘|世界|广东|佛山|香港|台湾|台灣|澳門|新加坡';

const ending = /^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;
const run = /[a-z0-9_.-]+/g;
const path = /(?::\d+(?![\w.-]))?(?:\/[\w\-.~%/?#&=+:@]*)?/y;
const scheme = /[a-z][a-z0-9+.-]{1,15}:\/{2,16}([^\s/?#\\]+)/g;
const foreign = new RegExp(
  String.raw`\.(?<=([\p{L}\p{N}-]{0,62}(?![a-z0-9])[\p{L}\p{N}])\.)(${[...usual].join('|')})(?![\w-])` +
    String.raw`|\.(?<=([\p{L}\p{N}-]{1,63})\.)(${hanEndings}|(?:(?!\p{Script=Han}|\p{Script=Latin})\p{L}){2,63})(?![\p{L}\p{N}_-])`,
  'gu',
);

/** The text as a link reader sees it: full-width marks separate, full-width letters are letters, invisible characters are removed. */
const plainOf = (text: string) =>
  text
    .replace(/[\uFE10-\uFE6F\uFF01-\uFF5E]/g, (mark) => {
      const plain = mark.normalize('NFKC');
      return /^[a-z0-9./@\\_-]$/i.test(plain) ? plain : ' ';
    })
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();

/** Hosts in a text, with or without a scheme. */
export function hostsIn(text: string): string[] {
  const plain = plainOf(text);
  const addressed = [...plain.matchAll(scheme)].map(([, authority]) => addressedHost(authority!));
  const spelled = [...plain.matchAll(foreign)].map(
    ([, label, end, before, beyond]) => `${label ?? before}.${end ?? beyond}`,
  );
  return [...new Set([...addressed, ...bareHosts(plain), ...spelled])];
}

/** The first host of a text that is not allowed. */
export function strangeHost(text: string, { links }: { links: readonly string[] }): string | undefined {
  return hostsIn(text).find((host) => !links.some((one) => host === one || host.endsWith(`.${one}`)));
}

/** The host of an address: after its last `@`, up to the first character that no host contains. */
function addressedHost(authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/。(?=[a-z0-9])/g, '.');
  const [named = ''] = /^[\p{L}\p{N}._-]*/u.exec(host) ?? [];
  return named.split('.').filter(Boolean).join('.') || host || authority;
}

/** A part of a host's path is no host of its own. */
function bareHosts(plain: string): string[] {
  const hosts: string[] = [];
  let pathEnd = 0;
  for (const { 0: word, index } of plain.matchAll(run)) {
    if (index < pathEnd || ofMail(plain, index, index + word.length)) continue;
    const end = index + word.length;
    const host = bareHost(word, /^(?:[/\\]|:\d)/.test(plain.slice(end, end + 2)));
    if (!host) continue;
    hosts.push(host);
    path.lastIndex = end;
    pathEnd = end + (path.exec(plain)?.[0].length ?? 0);
  }
  return hosts;
}

const mailHost = /@[a-z0-9-]+(?:\.[a-z0-9-]+)+/y;
function ofMail(plain: string, from: number, to: number): boolean {
  mailHost.lastIndex = to;
  return mailHost.test(plain) || /[\w.+-]@$/.test(plain.slice(Math.max(0, from - 2), from));
}

function bareHost(word: string, leads: boolean): string | undefined {
  const labels = word.split('.').filter(Boolean);
  if (labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label) && Number(label) < 256))
    return leads ? labels.join('.') : undefined;
  const last = labels.findLastIndex((label, at) => at > 0 && ending.test(label));
  const end = labels[last] ?? '';
  const file = files.has(end) || (!leads && filesOrHosts.has(end));
  const until = file ? labels.findLastIndex((label, at) => at > 0 && usual.has(label)) : last;
  if (until < 0) return undefined;
  const numbersList = !leads && until === 1 && !usual.has(end) && /^(?:\d{1,2}|[a-z])$/.test(labels[0]!);
  return numbersList ? undefined : labels.slice(0, until + 1).join('.');
}
