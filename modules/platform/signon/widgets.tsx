export { WechatBinding } from './web/WechatBinding.tsx';
