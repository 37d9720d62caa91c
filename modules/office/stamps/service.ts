export { applyPath as applyFor } from './contract/application.ts';
export { cancelFor } from './sources/cancelling.ts';
export { stateFor, type Offer, type Sealing, type Stampable, type Stampables, type Use } from './sources/stampable.ts';
