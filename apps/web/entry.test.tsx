import { theme } from 'antd';
import { describe, expect, test } from 'vitest';
import { contrast } from './colour.ts';
import { entryAt, openPaths, safeWayBack } from './entry.ts';
import { themeOf } from './shell/theme.ts';
import { claimBrowser, themeColours } from './stored.ts';

describe('where an address leads', () => {
  test('strangers reach the open pages and are sent to sign in from any other', () => {
    for (const path of openPaths) expect(entryAt(path, '', false)).toEqual({ kind: 'public' });
    expect(entryAt('/stamp/list', '?page=2', false)).toEqual({
      kind: 'redirect',
      to: '/login?redirect=%2Fstamp%2Flist%3Fpage%3D2',
    });
  });
  test('the signed-in are sent away from the sign-in pages and reach everything else', () => {
    for (const path of ['/login', '/loginTwo']) expect(entryAt(path, '', true)).toEqual({ kind: 'redirect', to: '/' });
    expect(entryAt('/index', '', true)).toEqual({ kind: 'office' });
    expect(entryAt('/auth-redirect', '?code=x', true)).toEqual({ kind: 'public' });
  });
  test('the root leads to index', () => {
    for (const signedIn of [true, false])
      expect(entryAt('/', '', signedIn)).toEqual({ kind: 'redirect', to: '/index' });
  });
  test('the way back after signing in stays on this site', () => {
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

test('drafts stay for who typed them and are gone for the next person on the machine', () => {
  claimBrowser('zhangmin');
  localStorage.setItem('draft:stamp', '{}');
  claimBrowser('zhangmin');
  expect(localStorage.getItem('draft:stamp')).toBe('{}');
  claimBrowser('lihua');
  expect(localStorage.getItem('draft:stamp')).toBeNull();
});

test('each theme colour can be read on panels and under button text, in the light and in the dark', () => {
  for (const colour of themeColours) {
    for (const dark of [false, true]) {
      const token = theme.getDesignToken(themeOf(colour, dark, true));
      const note = `${colour} ${dark ? 'dark' : 'light'} ${token.colorPrimary}`;
      for (const ground of dark ? ['#1b1d20', '#282b30'] : ['#ffffff', '#eef1f4']) {
        expect(contrast(token.colorPrimary, ground), note).toBeGreaterThanOrEqual(4.5);
        expect(contrast(token.colorError, ground), note).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(token.colorPrimary, dark ? '#05202e' : '#ffffff'), note).toBeGreaterThanOrEqual(4.5);
    }
  }
});

test('what is said by the way stands in the light on a tint of the theme colour, not on grey, and can be read there', () => {
  for (const colour of themeColours) {
    const { colorInfoBg } = theme.getDesignToken(themeOf(colour, false, true));
    const channels = [1, 3, 5].map((at) => parseInt(colorInfoBg.slice(at, at + 2), 16));
    expect(Math.max(...channels) - Math.min(...channels), `${colour} ${colorInfoBg}`).toBeGreaterThanOrEqual(12);
    expect(contrast('#1f2329', colorInfoBg), `${colour} ${colorInfoBg}`).toBeGreaterThanOrEqual(7);
  }
});
