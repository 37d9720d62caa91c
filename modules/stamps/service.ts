export {
  applyFor,
  sealedAmong,
  stateFor,
  type Offer,
  type Sealing,
  type Stampable,
  type Stampables,
  type Use,
} from './sources/stampable.ts';
