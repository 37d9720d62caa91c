import { isQuiet } from '#modules/platform/settings/contract/quiet.ts';
import type { Outgoing } from '#kernel/server/outside/outgoing.ts';
import { codeWays } from '#modules/platform/settings/contract/interfaces.ts';
import { aliyun } from '../providers/aliyun.ts';
import { placeLimits, type Provider } from '../providers/provider.ts';
import { tencent } from '../providers/tencent.ts';
import type { SmsServices } from '../service.ts';

const providers = { aliyun, tencent };

export interface Channel {
  provider: Provider;
  /** Characters that it accepts for one placeholder. */
  mostInPlace: number;
  /** For texts without a template at the provider: one with the single placeholder `content`. */
  template: string;
}

/** True if text messages can be sent. */
export async function sendsTexts(settings: SmsServices['settings']): Promise<boolean> {
  // A restored copy sends nothing.
  if (await isQuiet(settings)) return false;
  return codeWays(await settings.get('interface')).includes('sms');
}

/** The configured providers, the preferred one first; none if messages cannot be sent. */
export async function channelsOf(services: SmsServices & { outgoing: Outgoing }): Promise<Channel[]> {
  const { settings, secretBox, outgoing } = services;
  const { sms, sms_backup: backup } = await settings.get('interface');
  return [sms, backup].flatMap((group = {}) => {
    const name = group['provider'] as keyof typeof providers;
    const make = providers[name];
    if (!make) return [];
    const opened = (key: string) => (group[key] ? secretBox.open(group[key]) : '');
    const account = {
      url: group['url'] ?? '',
      key: opened('key'),
      secret: opened('secret'),
      app: group['app'] ?? '',
    };
    const mostInPlace = placeLimits[name] ?? Infinity;
    return [{ provider: make(account, outgoing), mostInPlace, template: group['template'] ?? '' }];
  });
}

/** The channel after a number of failures: each try takes the next. */
export const channelOf = (channels: readonly Channel[], retry: number): Channel | undefined =>
  channels[retry % channels.length];
