import type { Plugin } from 'vite';

/** Icons that can be pressed by themselves, as a reader of the screen hears them. */
const names: Record<string, string> = {
  'close-circle': '清除',
  close: '关闭',
  loading: '正在载入',
  'eye-invisible': '显示密码',
  eye: '隐藏密码',
  'arrow-left': '返回',
  'vertical-left': '最前',
  'vertical-right': '最后',
};
const known = `${JSON.stringify(names)}[icon.name]`;

/** What the component library says in English whatever its locale, and what stands there instead. */
const spoken: { file: string; english: RegExp; chinese: string }[] = [
  {
    // Every icon is named, for whoever listens too: these few are named in Chinese, the rest stand beside words.
    file: '@ant-design/icons/es/components/AntdIconLight.js',
    english: /role:\s*"img",\s*"aria-label":\s*icon\.name/,
    chinese: `...(${known} ? { role: "img", "aria-label": ${known} } : { "aria-hidden": true })`,
  },
  {
    file: '@rc-component/input-number/es/StepHandler.js',
    english: /'Increase Value' : 'Decrease Value'/,
    chinese: `'增加' : '减少'`,
  },
  { file: '@rc-component/select/es/hooks/useAllowClear.js', english: /'Clear'/, chinese: `'清除'` },
];

/** Lets nothing of the built pages be named in English to whoever listens. */
export function spokenChinese(): Plugin {
  const left = new Set(spoken);
  return {
    name: 'spoken-chinese',
    apply: 'build',
    transform: {
      filter: { id: /node_modules/ },
      handler(code, id) {
        const one = spoken.find(({ file }) => id.replaceAll('\\', '/').endsWith(file));
        if (!one) return null;
        if (!one.english.test(code)) this.error(`${one.file} names its parts in another way than it did`);
        left.delete(one);
        return code.replace(one.english, one.chinese);
      },
    },
    // A library that moved its file would otherwise speak English again, and nobody would hear of it.
    buildEnd(error) {
      if (!error && left.size > 0) this.error(`not built in: ${[...left].map(({ file }) => file).join(', ')}`);
    },
  };
}
