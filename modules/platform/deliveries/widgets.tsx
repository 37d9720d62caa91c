export { ChannelTest } from './web/ChannelTest.tsx';
