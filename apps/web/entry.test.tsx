import { globSync, readFileSync } from 'node:fs';
import { theme } from 'antd';
import { describe, expect, test } from 'vitest';
import { contrast } from './colour.ts';
import { entryAt, openPaths, safeWayBack } from './entry.ts';
import { themeOf } from './shell/theme.ts';
import { claimBrowser, setTextSize, textScales, themeColours, type TextSize } from './stored.ts';

describe('the page at an address', () => {
  test('is shown to strangers if it is open, and otherwise they are sent to sign in', () => {
    for (const path of openPaths) expect(entryAt(path, '', false)).toEqual({ kind: 'public' });
    expect(entryAt('/stamp/list', '?page=2', false)).toEqual({
      kind: 'redirect',
      to: '/login?redirect=%2Fstamp%2Flist%3Fpage%3D2',
    });
  });
  test('is shown to signed-in users, who are sent away from the sign-in pages', () => {
    for (const path of ['/login', '/loginTwo']) expect(entryAt(path, '', true)).toEqual({ kind: 'redirect', to: '/' });
    expect(entryAt('/index', '', true)).toEqual({ kind: 'office' });
    expect(entryAt('/auth-redirect', '?code=x', true)).toEqual({ kind: 'public' });
  });
  test('at the root is the index', () => {
    for (const signedIn of [true, false])
      expect(entryAt('/', '', signedIn)).toEqual({ kind: 'redirect', to: '/index' });
  });
  test('after signing in stays on this site', () => {
    expect(safeWayBack('/stamp/list?page=2')).toBe('/stamp/list?page=2');
    for (const bad of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/\t/evil.example',
      null,
    ]) {
      expect(safeWayBack(bad)).toBe('/');
    }
  });
});

test('drafts stay in the browser for their author and are removed for the next person', () => {
  claimBrowser('zhangmin');
  localStorage.setItem('draft:stamp', '{}');
  claimBrowser('zhangmin');
  expect(localStorage.getItem('draft:stamp')).toBe('{}');
  claimBrowser('lihua');
  expect(localStorage.getItem('draft:stamp')).toBeNull();
});

test('a chosen size of text scales the style sheets and the component library alike', () => {
  const sizes = Object.keys(textScales) as TextSize[];
  const shown = sizes.map((text) => {
    setTextSize(text);
    const { fontSize, controlHeight } = theme.getDesignToken(themeOf('#0099e0', { dark: false, still: true, text }));
    return [document.documentElement.style.fontSize, fontSize, controlHeight];
  });
  expect(shown).toEqual([
    ['100%', 14, 32],
    ['112.5%', 16, 36],
    ['125%', 18, 40],
  ]);
  setTextSize('normal');
});

test('no style sheet sets a size of text in pixels, which would ignore the chosen size', () => {
  // Nodes of a diagram have a fixed size, and are enlarged with it.
  const sheets = globSync(['apps', 'kernel', 'modules'].map((part) => `${part}/**/*.css`)).filter(
    (path) => !path.endsWith('/graph/graph.css'),
  );
  expect(sheets.length).toBeGreaterThan(40);
  const fixed = sheets.filter((path) => /font(?:-size)?:[^;]*\d+px/.test(readFileSync(path, 'utf8')));
  expect(fixed).toEqual([]);
});

test('each theme colour is readable on panels and under button text, in light and dark mode', () => {
  for (const colour of themeColours) {
    for (const dark of [false, true]) {
      const token = theme.getDesignToken(themeOf(colour, { dark, still: true }));
      const note = `${colour} ${dark ? 'dark' : 'light'} ${token.colorPrimary}`;
      for (const ground of dark ? ['#1b1d20', '#282b30'] : ['#ffffff', '#eef1f4']) {
        expect(contrast(token.colorPrimary, ground), note).toBeGreaterThanOrEqual(4.5);
        expect(contrast(token.colorError, ground), note).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(token.colorPrimary, dark ? '#05202e' : '#ffffff'), note).toBeGreaterThanOrEqual(4.5);
    }
  }
});

test('secondary notes in light mode are readable, on a tint of the theme colour instead of grey', () => {
  for (const colour of themeColours) {
    const { colorInfoBg } = theme.getDesignToken(themeOf(colour, { dark: false, still: true }));
    const channels = [1, 3, 5].map((at) => parseInt(colorInfoBg.slice(at, at + 2), 16));
    expect(Math.max(...channels) - Math.min(...channels), `${colour} ${colorInfoBg}`).toBeGreaterThanOrEqual(12);
    expect(contrast('#1f2329', colorInfoBg), `${colour} ${colorInfoBg}`).toBeGreaterThanOrEqual(7);
  }
});
