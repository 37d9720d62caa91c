import { hookCarrier } from '#modules/deliveries/carriers/hook.ts';
import { mailCarrier } from '#modules/deliveries/carriers/mail.ts';
import { robotCarrier } from '#modules/deliveries/carriers/robots.ts';
import type { Carriers } from '#modules/deliveries/service.ts';
import { smsCarrier } from '#modules/sms/sending/adapter.ts';
import type { Services } from './services.ts';

type CarrierServices = Pick<Services, 'databases' | 'log' | 'outgoing' | 'publicUrl' | 'settings' | 'secretBox'>;

/** Every channel's way out of the house. */
export const createCarriers = (services: CarrierServices): Carriers => ({
  sms: smsCarrier(services),
  mail: mailCarrier(services),
  hook: hookCarrier(services),
  wecom: robotCarrier('wecom', services),
  dingtalk: robotCarrier('dingtalk', services),
  feishu: robotCarrier('feishu', services),
});
