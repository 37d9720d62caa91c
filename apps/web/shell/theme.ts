import { theme } from 'antd';
import type { ThemeConfig } from 'antd';
import { useSyncExternalStore } from 'react';
import { readable } from '../colour.ts';
import { shellSettings } from '../stored.ts';

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

/** The component library's tokens for the chosen colour; text-bearing colours are shaded until they can be read. */
export function useOfficeTheme(): { config: ThemeConfig; dark: boolean } {
  const { theme: colour, dark: wish } = shellSettings.use();
  const systemDark = useMedia('(prefers-color-scheme: dark)');
  const still = useMedia('(prefers-reduced-motion: reduce)');
  const dark = wish === 'dark' || (wish === 'follow' && systemDark);
  const primary = readable(colour, dark ? '#282b30' : '#eef1f4');
  const onPrimary = dark ? '#05202e' : '#ffffff';
  return {
    dark,
    config: {
      algorithm: theme.defaultAlgorithm,
      ...(dark && { algorithm: theme.darkAlgorithm }),
      token: {
        colorPrimary: primary,
        colorInfo: primary,
        colorLink: primary,
        ...(dark && { colorBgBase: '#111315', colorTextBase: '#e3e6ea', colorPrimaryText: primary }),
        colorTextDescription: dark ? '#a3abb5' : '#5c6570',
        colorTextPlaceholder: dark ? '#8d959f' : '#6b747e',
        borderRadius: 6,
        motion: !still,
        motionDurationMid: '0.15s',
        motionDurationSlow: '0.2s',
      },
      components: { Button: { primaryColor: onPrimary } },
    },
  };
}
