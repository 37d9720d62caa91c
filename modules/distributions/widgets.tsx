export { DistributeButton } from './web/DistributeButton.tsx';
export { RecipientsInput } from './web/RecipientsInput.tsx';
