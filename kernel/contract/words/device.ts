/** The first match counts, because a browser built on another one names that one too. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/wxwork\//i, '企业微信'],
  [/MicroMessenger\//, '微信'],
  [/DingTalk\//i, '钉钉'],
  [/(Lark|Feishu)\//i, '飞书'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/(OPR|Opera)\//, 'Opera'],
  [/(QQBrowser|MQQBrowser)\//, 'QQ 浏览器'],
  [/(UBrowser|UCBrowser)\//, 'UC 浏览器'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Version\/.*Safari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/HarmonyOS|OpenHarmony/, '鸿蒙'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, '安卓'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];
const named = (ua: string, among: readonly (readonly [RegExp, string])[]) =>
  among.find(([pattern]) => pattern.test(ua))?.[1];

/** Describes a user agent in words: Windows 上的 Edge. An unknown one keeps its own name. */
export function deviceName(ua: string): string {
  const [browser, system] = [named(ua, browsers), named(ua, systems)];
  if (browser && system) return `${system} 上的 ${browser}`;
  return browser ?? system ?? (ua.split(/[\s/(]/)[0] || '未知设备');
}
