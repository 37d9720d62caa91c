import type { Plugin } from 'vite';

/** Accessible names of icons that are buttons by themselves. */
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

/** Texts that the component library says in English in every locale, with their replacements. */
const spoken: { file: string; english: RegExp; chinese: string }[] = [
  {
    // Every icon has an accessible name: these few get Chinese ones, the others stand beside a label.
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

/** Removes English accessible names from the built pages. */
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
    // Otherwise English names would silently return if a library moved its file.
    buildEnd(error) {
      if (!error && left.size > 0) this.error(`not built in: ${[...left].map(({ file }) => file).join(', ')}`);
    },
  };
}
