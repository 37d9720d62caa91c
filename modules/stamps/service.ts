export { applyFor, stateFor, type Offer, type Sealing, type Stampable, type Stampables, type Use } from './sources/stampable.ts';
