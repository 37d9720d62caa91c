import { theme } from 'antd';
import type { ThemeConfig } from 'antd';
import { useMemo, useSyncExternalStore } from 'react';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { readable } from '../colour.ts';
import { shellSettings, textScales, type TextSize } from '../stored.ts';

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
  );
}

/**
 * The component library's tokens for the chosen colour and size of text; colours that carry text are darkened or lightened until readable. Phones get
 * larger controls for fingers.
 */
export function themeOf(
  colour: string,
  { dark, still, phone = false, text = 'normal' }: { dark: boolean; still: boolean; phone?: boolean; text?: TextSize },
): ThemeConfig {
  // The dark algorithm removes some brightness again, hence the higher ratio.
  const primary = dark ? readable(colour, '#282b30', 7) : readable(colour, '#eef1f4');
  const edge = dark ? '#7d8690' : '#858e98';
  const onPrimary = dark ? '#05202e' : '#ffffff';
  // Derived from the original colour: tints of the adjusted one are grey.
  const tints = theme.getDesignToken({ token: { colorInfo: colour } });
  return {
    algorithm: dark ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      colorPrimary: primary,
      colorLink: primary,
      colorInfo: primary,
      colorError: dark ? '#ff9d96' : '#c8261b',
      ...(!dark && { colorInfoBg: tints.colorInfoBg, colorInfoBorder: tints.colorInfoBorder }),
      ...(dark && {
        colorBgBase: '#111315',
        colorBgContainer: '#1b1d20',
        colorBgElevated: '#1f2226',
        colorTextBase: '#e3e6ea',
        colorPrimaryText: primary,
      }),
      colorTextDescription: dark ? '#a3abb5' : '#5c6570',
      colorTextPlaceholder: dark ? '#8d959f' : '#6b747e',
      borderRadius: 6,
      fontSize: Math.round(14 * textScales[text]),
      controlHeight: Math.round(32 * textScales[text]),
      ...(phone && { controlHeight: 44, controlHeightSM: 44, controlHeightLG: 48 }),
      motion: !still,
      motionDurationMid: '0.15s',
      motionDurationSlow: '0.2s',
    },
    components: {
      Button: { primaryColor: onPrimary },
      Progress: { defaultColor: primary },
      // The border of an empty box is all that is visible of it.
      Checkbox: { colorBorder: edge },
      Radio: { colorBorder: edge },
      Descriptions: { labelColor: dark ? '#a3abb5' : '#5c6570' },
    },
  };
}

/** The present theme of this person and machine. */
export function useOfficeTheme(): { config: ThemeConfig; dark: boolean } {
  const { theme: colour, dark: wish, text } = shellSettings.use();
  const systemDark = useMedia('(prefers-color-scheme: dark)');
  const still = useMedia('(prefers-reduced-motion: reduce)');
  // Paper is white.
  const printing = useMedia('print');
  const dark = !printing && (wish === 'dark' || (wish === 'follow' && systemDark));
  const phone = useNarrow();
  const config = useMemo(() => themeOf(colour, { dark, still, phone, text }), [colour, dark, still, phone, text]);
  return { config, dark };
}
