import { applicationAdapter } from '#modules/platform/deliveries/adapters/applications.ts';
import { hookAdapter } from '#modules/platform/deliveries/adapters/hook.ts';
import { mailAdapter } from '#modules/platform/deliveries/adapters/mail.ts';
import { robotAdapter } from '#modules/platform/deliveries/adapters/robots.ts';
import type { ChannelAdapters } from '#modules/platform/deliveries/service.ts';
import { pushAdapter } from '#modules/platform/messages/service.ts';
import { smsAdapter } from '#modules/platform/sms/sending/adapter.ts';
import type { Services } from '#kernel/server/services.ts';

type AdapterServices = Pick<Services, 'databases' | 'log' | 'outgoing' | 'publicUrl' | 'settings' | 'secretBox'>;

/** The adapters of all channels for outgoing messages. */
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
