import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import type { Signer } from '#modules/files/service.ts';
import { roomTimes } from './contract/looks.ts';
import { offices } from './contract/offices.ts';
import { rooms } from './contract/rooms.ts';
import { officeHandlers } from './server/offices.ts';
import { roomHandlers } from './server/rooms.ts';
import { timeHandlers } from './server/times.ts';
import type { Occupants } from './service.ts';

/** `occupants`: whose records are in rooms; asked when a call comes, once all modules are there. */
export const roomsModules = (signer: Signer, occupants: () => Occupants): ServerModule[] => [
  implement('rooms', offices, officeHandlers),
  implement('rooms', rooms, roomHandlers(signer)),
  implement('rooms', roomTimes, timeHandlers(occupants)),
];
