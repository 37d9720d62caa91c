export { followedDocuments } from './following.ts';
export { packingTask } from './archive/packing.ts';
export { packageModule, seesPackage } from './archive/shown.ts';
export { seesFile } from './sight.ts';
export { verifiedDocuments } from './verified.ts';
