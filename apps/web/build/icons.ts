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
const file = /[\\/]@ant-design[\\/]icons[\\/]es[\\/]components[\\/]AntdIcon\.js$/;
const english = /role:\s*"img",\s*"aria-label":\s*icon\.name/;

/** The library names every icon in English, for whoever listens too: these few are named in Chinese, the rest stand beside words. */
export function namedIcons(): Plugin {
  return {
    name: 'named-icons',
    apply: 'build',
    transform: {
      filter: { id: file },
      handler(code) {
        if (!english.test(code)) this.error('the icons are named in another way than they were');
        const known = `${JSON.stringify(names)}[icon.name]`;
        return code.replace(
          english,
          `...(${known} ? { role: "img", "aria-label": ${known} } : { "aria-hidden": true })`,
        );
      },
    },
  };
}
