export { GivenOut } from './web/GivenOut.tsx';
export { DistributeButton } from './web/DistributeButton.tsx';
