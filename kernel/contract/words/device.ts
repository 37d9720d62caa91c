/** The first that is named counts: what is built on another browser names that one, too. */
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

/** What a user agent is in words: Windows 上的 Edge. What is none of these is called as it calls itself. */
export function deviceName(ua: string): string {
  const [browser, system] = [named(ua, browsers), named(ua, systems)];
  if (browser && system) return `${system} 上的 ${browser}`;
  return browser ?? system ?? (ua.split(/[\s/(]/)[0] || '未知设备');
}
