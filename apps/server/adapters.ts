import { applicationAdapter } from '#modules/deliveries/adapters/applications.ts';
import { hookAdapter } from '#modules/deliveries/adapters/hook.ts';
import { mailAdapter } from '#modules/deliveries/adapters/mail.ts';
import { robotAdapter } from '#modules/deliveries/adapters/robots.ts';
import type { ChannelAdapters } from '#modules/deliveries/service.ts';
import { pushAdapter } from '#modules/messages/service.ts';
import { smsAdapter } from '#modules/sms/sending/adapter.ts';
import type { Services } from '#kernel/server/services.ts';

type AdapterServices = Pick<Services, 'databases' | 'log' | 'outgoing' | 'publicUrl' | 'settings' | 'secretBox'>;

/** Every channel's way out of the house. */
export const createAdapters = (services: AdapterServices): ChannelAdapters => ({
  sms: smsAdapter(services),
  mail: mailAdapter(services),
  push: pushAdapter(services),
  hook: hookAdapter(services),
  wecom: robotAdapter('wecom', services),
  dingtalk: robotAdapter('dingtalk', services),
  feishu: robotAdapter('feishu', services),
  wecom_app: applicationAdapter('wecom', services),
  ding_app: applicationAdapter('dingtalk', services),
  feishu_app: applicationAdapter('feishu', services),
});
